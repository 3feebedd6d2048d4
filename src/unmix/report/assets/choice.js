// What is chosen: a number of clusters, a cluster, some rows, one row, a column. All that is drawn follows it.
"use strict";
const choice = (function () {
  const findings = JSON.parse(document.getElementById("findings").textContent);
  const points = findings.map && findings.map.x && findings.map.x.length ? findings.map : null;
  const table = findings.rows && findings.rows.columns && findings.rows.values ? findings.rows : null;
  const radios = [...document.querySelectorAll("#dock input[name=k]")];
  const colours = new Map(radios.map((radio) => [Number(radio.value), radio.dataset.colours.split(" ").map(Number)]));
  const own = findings.selection.chosen_k || 1;
  const followers = [];
  const now = { k: own, cluster: null, rows: null, row: -1, column: -1, cut: null };

  // The clusters that the data chose are shown, and no others.
  function isOwn() {
    return !now.cut && now.k === own;
  }
  // Other clusters of the same rows: those of another number, or a cut that somebody brings along.
  function alternative() {
    return now.cut || (now.k === own ? null : findings.alternatives.find((one) => one.k === now.k));
  }
  function labels() {
    const other = alternative();
    return other ? other.labels : points.label;
  }
  // The clusters of the chosen number; a colour is kept from number to number where a group is.
  function clusters() {
    const other = alternative();
    if (!other) {
      return (findings.clusters || []).map((one) => ({ label: one.label, name: one.name, size: one.size, fraction: one.fraction }));
    }
    const total = other.sizes.reduce((sum, size) => sum + size, 0);
    return other.names.map((name, label) => ({ label, name, size: other.sizes[label], fraction: other.sizes[label] / total }));
  }
  function colour(label) {
    const known = !now.cut && alternative() && colours.get(now.k);
    return known && label >= 0 ? known[label] : label;
  }
  function isMember(i) {
    return (now.cluster === null || labels()[i] === now.cluster) && (now.rows === null || now.rows.has(i));
  }
  function members() {
    return points ? points.row.map((_, i) => i).filter(isMember) : [];
  }
  function set(changes) {
    Object.assign(now, "k" in changes ? { cut: null } : {}, changes);
    for (const follower of followers) follower(changes);
  }
  function tell(words) {
    const said = document.getElementById("said");
    if (said) said.textContent = words;
  }
  return { findings, points, table, own, isOwn, radios, now, labels, clusters, colour, isMember, members, set, tell, follow: (f) => followers.push(f) };
})();
