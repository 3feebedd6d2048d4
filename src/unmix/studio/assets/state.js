// What is chosen on the report is kept in the address, so that it can be sent, kept and gone back to.
const most = 1800; // characters that rows may take there

// 3, 4, 5, 9 as 3-5.9
export function ranges(numbers) {
  const parts = [];
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const last = parts[parts.length - 1];
    if (last && last[1] === n - 1) last[1] = n; else parts.push([n, n]);
  }
  return parts.map(([low, high]) => (low === high ? String(low) : `${low}-${high}`)).join(".");
}
export function numbers(text) {
  const found = [];
  for (const part of text.split(".")) {
    const [low, high = low] = part.split("-").map(Number);
    if (Number.isInteger(low) && Number.isInteger(high) && high - low < 1e6) for (let n = low; n <= high; n++) found.push(n);
  }
  return found;
}
// Rows of the table, as places on the map; null where none of them is on it.
export function places(rows) {
  const wanted = new Set(rows), found = choice.points.row.flatMap((row, i) => (wanted.has(row) ? [i] : []));
  return found.length ? new Set(found) : null;
}

function write() {
  const { now, own, points, table } = choice, found = new URLSearchParams();
  if (now.cut) found.set("cooled", now.cut.at);
  else if (now.k !== own) found.set("k", now.k);
  if (now.cluster !== null) found.set("cluster", now.cluster);
  if (now.column >= 0) found.set("column", table.columns[now.column]);
  const rows = now.rows ? ranges([...now.rows].map((i) => points.row[i])) : "";
  if (rows && rows.length <= most) found.set("rows", rows);
  if (now.row >= 0) found.set("row", points.row[now.row]);
  const text = found.toString();
  history.replaceState(null, "", (text ? "?" + text : location.pathname) + location.hash);
}
function read() {
  const given = new URLSearchParams(location.search), changes = {};
  const known = choice.radios.map((radio) => Number(radio.value));
  if (known.includes(Number(given.get("k")))) changes.k = Number(given.get("k"));
  if (changes.k) choice.set(changes);
  const cluster = given.get("cluster") === null ? NaN : Number(given.get("cluster"));
  const rest = {};
  if (choice.clusters().some((one) => one.label === cluster)) rest.cluster = cluster;
  if (given.get("rows")) rest.rows = places(numbers(given.get("rows")));
  if (given.get("row")) rest.row = choice.points.row.indexOf(Number(given.get("row")));
  if (given.get("column") && choice.table) rest.column = choice.table.columns.indexOf(given.get("column"));
  if (Object.keys(rest).length) choice.set(rest);
}
if (choice.points) {
  read();
  choice.follow(write);
}
