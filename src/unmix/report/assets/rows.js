// The rows behind what is chosen: a list that sorts, leads back to the map, and saves as CSV.
const rows = (function () {
  const { findings, points, now } = choice;
  const drawer = document.getElementById("drawer");
  const nothing = { open() {}, close() {}, isOpen: () => false };
  if (!drawer || !points) return nothing;
  const opener = document.querySelector(".open-rows"), listed = drawer.querySelector(".listed"), words = drawer.querySelector(".shown-rows");
  const page = 100, table = choice.table || { columns: [], values: [], ids: null, sentence: "" };
  let by = 0, down = false, shown = page;

  function heads() {
    const clustered = now.k > 1;
    return [
      { title: "Row", of: (i) => points.row[i] },
      ...(table.ids ? [{ title: "Id", of: (i) => table.ids[i] }] : []),
      ...(clustered ? [{ title: "Cluster", of: (i) => choice.labels()[i] < 0 ? null : choice.labels()[i] }] : []),
      ...(clustered && choice.isOwn() && points.confidence ? [{ title: "Confidence", of: (i) => points.confidence[i] }] : []),
      ...table.columns.map((title, j) => ({ title, of: (i) => table.values[j][i], column: j })),
    ];
  }
  // Missing values last, numbers by size, words by the alphabet.
  function sorted(members, head) {
    const way = down ? -1 : 1;
    const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
    return members.map((i) => [head.of(i), i]).sort(([a, i], [b, j]) => (a === null) - (b === null) || (a === null ? 0 : way * compare(a, b)) || i - j).map(([, i]) => i);
  }
  function header(head, j) {
    const state = j === by ? (down ? "descending" : "ascending") : "none";
    const button = paint.make("button", { type: "button", "data-sort": j }, paint.clip(head.title, 32), paint.make("span", { "aria-hidden": "true" }, j === by ? (down ? " ↓" : " ↑") : ""));
    return paint.make("th", { scope: "col", "aria-sort": state, class: head.column === now.column && now.column >= 0 ? "looked" : null }, button);
  }
  function line(i, every) {
    const cells = every.map((head, j) => {
      if (j === 0) return paint.make("th", { scope: "row" }, paint.make("button", { type: "button", class: "row-link", "data-place": i }, head.of(i).toLocaleString("en")));
      if (head.title === "Cluster" && head.column === undefined) return paint.make("td", null, ...(head.of(i) === null ? ["–"] : [paint.mark(choice.colour(head.of(i))), " " + head.of(i)]));
      if (head.title === "Confidence" && head.column === undefined) return paint.make("td", null, head.of(i) === null ? "–" : paint.percent(head.of(i)));
      return paint.make("td", { class: head.column === now.column && now.column >= 0 ? "looked" : null }, paint.clip(paint.cell(head.of(i)), 60));
    });
    return paint.make("tr", { class: i === now.row ? "looked" : null }, cells);
  }
  function draw() {
    const members = choice.members(), extra = now.row >= 0 && !members.includes(now.row) ? [now.row] : [];
    opener.textContent = `Rows (${members.length.toLocaleString("en")})`;
    if (drawer.hidden) return;
    const every = heads();
    by = Math.min(by, every.length - 1);
    let order = sorted(members, every[by]);
    if (now.row >= 0) order = [now.row, ...order.filter((i) => i !== now.row)];
    const part = members.length === points.row.length ? "" : `${members.length.toLocaleString("en")} rows chosen. `;
    words.textContent = part + (table.sentence || "");
    const body = order.slice(0, shown).map((i) => line(i, every));
    const rest = order.length - shown;
    listed.replaceChildren(paint.make("table", null, paint.make("caption", null, "Rows that are chosen"),
      paint.make("thead", null, paint.make("tr", null, every.map(header))), paint.make("tbody", null, body)),
      ...(rest > 0 ? [paint.make("button", { type: "button", class: "more-rows" }, `Show ${Math.min(page, rest)} more of ${rest.toLocaleString("en")}`)] : []));
    return extra;
  }
  function open() {
    drawer.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    document.body.classList.add("drawn");
    shown = page;
    draw();
    listed.scrollTop = 0;
    listed.focus({ preventScroll: true });
  }
  function close() {
    drawer.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    document.body.classList.remove("drawn");
    opener.focus({ preventScroll: true });
  }
  function asTable() {
    const every = heads();
    return [every.map((head) => head.title), ...sorted(choice.members(), every[Math.min(by, every.length - 1)]).map((i) => every.map((head) => head.of(i)))];
  }

  opener.addEventListener("click", () => drawer.hidden ? open() : close());
  drawer.querySelector(".close-rows").addEventListener("click", close);
  drawer.querySelector(".save-rows").addEventListener("click", () => paint.save("rows.csv", paint.csv(asTable()), "text/csv"));
  listed.addEventListener("click", (event) => {
    const sort = event.target.closest("[data-sort]"), place = event.target.closest("[data-place]");
    if (sort) {
      const j = Number(sort.dataset.sort);
      down = j === by ? !down : false;
      by = j;
      draw();
      listed.querySelector(`[data-sort="${j}"]`).focus();
    } else if (place) {
      const i = Number(place.dataset.place);
      choice.set({ row: now.row === i ? -1 : i });
      const again = listed.querySelector(`[data-place="${i}"]`);
      if (again) again.focus();
    } else if (event.target.closest(".more-rows")) { shown += page; draw(); }
  });
  // A row that is named anywhere on the page: on the map and first in the list.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-row]");
    if (!link) return;
    const place = points.row.indexOf(Number(link.dataset.row));
    if (place < 0) { choice.tell("This row is not among those on the map."); return; }
    event.preventDefault();
    choice.set({ row: place, cluster: null, rows: null });
    open();
  });
  choice.follow(draw);
  draw();
  return { open, close, isOpen: () => !drawer.hidden };
})();
