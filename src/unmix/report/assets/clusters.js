// Clusters and their number: legend, sizes, cards and the foot of the window show what is chosen, and choose.
(function () {
  const { points, now, own } = choice;
  const dock = document.getElementById("dock");
  if (!dock || !points) return;
  const legend = document.querySelector(".legend"), list = legend && legend.querySelector("ul"), all = legend && legend.querySelector(".all");
  const sizes = document.querySelector(".sizes");
  const cards = document.getElementById("clusters"), heading = cards && cards.querySelector("h2"), ownHeading = heading && heading.textContent;
  const clear = dock.querySelector(".clear"), lookedAt = dock.querySelector(".looked-at");
  dock.hidden = false;
  document.body.classList.add("docked");
  for (const link of document.querySelectorAll("[data-rows]")) link.hidden = false;

  function title(one) {
    return one.label < 0 ? "left out" : one.name || "Cluster " + one.label;
  }
  function key(one) {
    return paint.make("li", null, paint.make("button", { type: "button", class: "key", "data-label": one.label, "aria-pressed": String(now.cluster === one.label) },
      paint.mark(choice.colour(one.label)), one.label < 0 ? null : paint.make("span", { class: "number" }, String(one.label)),
      paint.make("span", { class: "name" }, paint.clip(title(one), 60)), paint.make("span", { class: "quiet" }, one.share)));
  }
  function entries() {
    const found = choice.clusters().map((one) => ({ ...one, share: typeof one.fraction === "number" ? paint.percent(one.fraction) : "–" }));
    const outside = choice.labels().filter((label) => label < 0).length;
    return outside ? [...found, { label: -1, share: String(outside) }] : found;
  }
  function drawLegend() {
    if (!legend) return;
    const found = entries();
    legend.hidden = found.length < 2;
    list.replaceChildren(...found.map(key));
  }
  function drawSizes() {
    if (!sizes) return;
    let start = 0;
    const pieces = choice.clusters().filter((one) => typeof one.fraction === "number").map((one) => {
      const share = one.fraction, piece = paint.make("g", { class: paint.colourClass(choice.colour(one.label)), "data-cluster": one.label },
        paint.make("rect", { x: 100 * start + "%", width: 100 * share + "%", height: 22, class: "fill" }));
      if (share >= 0.05) {
        const words = share >= 0.16 ? one.label + " · " + paint.percent(share) : String(one.label);
        piece.append(paint.make("text", { x: 100 * (start + share / 2) + "%", y: 40, "text-anchor": "middle" }, words));
      }
      start += share;
      return piece;
    });
    sizes.replaceChildren(...pieces);
    sizes.setAttribute("aria-label", "Sizes of the clusters. " + choice.clusters().map((one) => "cluster " + one.label + ": " + paint.percent(one.fraction || 0)).join(", "));
  }
  // Where the rows of a cluster are by the number that was chosen from the data.
  function origin(label) {
    const counts = new Map();
    let total = 0;
    choice.labels().forEach((other, i) => {
      if (other === label) { counts.set(points.label[i], (counts.get(points.label[i]) || 0) + 1); total += 1; }
    });
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3).filter(([, size]) => size >= 0.02 * total)
      .map(([from, size]) => paint.percent(size / total) + " from " + (from < 0 ? "rows left out" : "cluster " + from)).join(", ");
  }
  function otherCard(one) {
    const colour = choice.colour(one.label);
    const bar = paint.make("svg", { class: "share " + paint.colourClass(colour), height: 6, "aria-hidden": "true" },
      paint.make("rect", { width: "100%", height: "100%", rx: 3, class: "track" }), paint.make("rect", { width: 100 * one.fraction + "%", height: "100%", rx: 3, class: "fill" }));
    return paint.make("article", { class: "card", "data-cluster": one.label },
      paint.make("header", null, paint.make("h3", null, paint.mark(colour), paint.make("span", { class: "number" }, String(one.label)), paint.clip(title(one), 90)),
        paint.make("p", { class: "quiet" }, `${one.size.toLocaleString("en")} rows on the map (${paint.percent(one.fraction)})` + (own > 1 ? ` · ${origin(one.label)}` : ""))),
      bar, paint.make("p", { class: "jump" }, paint.make("a", { href: "#map", "data-isolate": one.label }, "Show on the map"), paint.make("a", { href: "#drawer", "data-rows": one.label }, "List its rows")));
  }
  function drawCards() {
    if (!cards) return;
    for (const part of cards.querySelectorAll("[data-own]")) part.hidden = !choice.isOwn();
    const [words, others] = cards.querySelectorAll("[data-other]");
    words.hidden = others.hidden = choice.isOwn();
    heading.textContent = choice.isOwn() ? ownHeading : "The clusters";
    if (choice.isOwn()) return;
    words.textContent = now.cut ? now.cut.words : `${now.k} clusters instead of ${own === 1 ? "none" : own}: each row of the map with the nearest of ${now.k} centres (K-means). Choose ${own} below to come back to what the table speaks for.`;
    others.replaceChildren(...choice.clusters().map(otherCard));
  }
  function markChosen() {
    for (const button of document.querySelectorAll(".legend .key")) button.setAttribute("aria-pressed", String(now.cluster === Number(button.dataset.label)));
    for (const one of document.querySelectorAll("[data-cluster]")) one.classList.toggle("looked", now.cluster === Number(one.dataset.cluster));
    document.body.classList.toggle("one-cluster", now.cluster !== null);
    if (all) all.hidden = now.cluster === null;
    clear.hidden = now.cluster === null && now.rows === null && choice.isOwn() && now.column < 0;
    const one = choice.clusters().find((each) => each.label === now.cluster);
    const name = now.cluster === null ? "All rows" : now.cluster < 0 ? "Rows left out" : `${now.cluster} ${one ? title(one) : ""}`;
    lookedAt.replaceChildren(...(now.cluster === null ? [] : [paint.mark(choice.colour(now.cluster))]), now.rows ? `${name}, ${now.rows.size} in the selection` : name);
    for (const radio of choice.radios) radio.checked = Number(radio.value) === now.k && !now.cut;
  }
  function isolate(label) {
    choice.set({ cluster: label });
    const one = choice.clusters().find((each) => each.label === label);
    choice.tell(label === null ? "All clusters" : one ? `Cluster ${label}: ${title(one)}` : "Rows left out");
  }
  function step(by) {
    const labels = entries().map((one) => one.label), at = labels.indexOf(now.cluster);
    isolate(labels[at < 0 ? (by > 0 ? 0 : labels.length - 1) : (at + by + labels.length) % labels.length]);
    const button = legend.querySelector(`.key[data-label="${now.cluster}"]`);
    if (button) button.focus();
  }

  if (legend) {
    legend.addEventListener("click", (event) => {
      const button = event.target.closest(".key");
      if (button) isolate(now.cluster === Number(button.dataset.label) ? null : Number(button.dataset.label));
    });
    legend.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (by) { event.preventDefault(); step(by); }
    });
    all.addEventListener("click", () => { isolate(null); legend.querySelector(".key").focus(); });
  }
  if (sizes) sizes.addEventListener("click", (event) => {
    const piece = event.target.closest("[data-cluster]");
    if (piece && Number(piece.dataset.cluster) >= 0) isolate(now.cluster === Number(piece.dataset.cluster) ? null : Number(piece.dataset.cluster));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-isolate], [data-rows]");
    if (!link) return;
    isolate(Number(link.dataset.isolate ?? link.dataset.rows));
    if (link.dataset.rows !== undefined) { event.preventDefault(); rows.open(); }
  });
  for (const radio of choice.radios) radio.addEventListener("change", () => choice.set({ k: Number(radio.value), cluster: null }));
  for (const part of document.querySelectorAll("[data-choose-k]")) {
    part.addEventListener("click", () => choice.set({ k: Number(part.dataset.chooseK), cluster: null }));
  }
  function reset() {
    choice.set({ k: own, cluster: null, rows: null, row: -1, column: -1 });
    choice.tell("All rows");
  }
  clear.addEventListener("click", () => { reset(); dock.querySelector(".open-rows").focus(); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (rows.isOpen()) rows.close(); else reset();
  });
  choice.follow((changes) => {
    if ("k" in changes) { drawLegend(); drawSizes(); drawCards(); }
    markChosen();
  });
  markChosen();
})();
