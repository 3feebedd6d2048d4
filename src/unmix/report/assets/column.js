// One column, cluster by cluster: a histogram a line, and in the table of columns what is chosen over all rows.
const column = (function () {
  const { findings, points, table, now } = choice;
  const figure = document.querySelector(".column-figure");
  const width = 440, left = 34, right = 316, tall = 30, step = 38, most = 12;
  let shown = 0;

  function levels(values) {
    const counts = new Map();
    for (const value of values) if (value !== null) counts.set(value, (counts.get(value) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || String(a[0]).localeCompare(String(b[0]))).slice(0, most).map(([level]) => level);
  }
  // Where each value falls: bins of equal width for numbers, one each for the most frequent words and one for the rest.
  function binning(values) {
    const numbers = values.filter((value) => typeof value === "number");
    if (numbers.length) {
      const low = numbers.reduce((a, b) => Math.min(a, b)), high = numbers.reduce((a, b) => Math.max(a, b)), n = 24;
      const of = (value) => typeof value === "number" ? Math.min(n - 1, Math.floor(n * (value - low) / ((high - low) || 1))) : -1;
      return { n, of, low, high };
    }
    const names = levels(values), rest = values.some((value) => value !== null && !names.includes(value));
    return { n: names.length + (rest ? 1 : 0), of: (value) => value === null ? -1 : names.indexOf(value) < 0 ? names.length : names.indexOf(value), names: rest ? [...names, "others"] : names };
  }
  function shares(values, rows, bins) {
    const counts = new Array(bins.n).fill(0);
    let total = 0;
    for (const i of rows) { const b = bins.of(values[i]); if (b >= 0) { counts[b] += 1; total += 1; } }
    return { counts, total, shares: counts.map((count) => total ? count / total : 0) };
  }
  function steps(heights, base, top) {
    const wide = (right - left) / heights.length, gap = heights.length < 14 ? 1.5 : 0;
    return heights.map((height, b) => `M${(left + b * wide + gap).toFixed(1)} ${base}V${(base - height * (base - top)).toFixed(1)}H${(left + (b + 1) * wide - gap).toFixed(1)}V${base}Z`).join("");
  }
  function middle(values, rows) {
    const found = rows.map((i) => values[i]).filter((value) => typeof value === "number").sort((a, b) => a - b);
    return found.length ? "median " + paint.number(found[found.length >> 1]) : "";
  }
  function lines() {
    const every = points.row.map((_, i) => i), labels = choice.labels();
    const found = choice.clusters().length > 1 ? choice.clusters().map((one) => ({ title: one.label, colour: choice.colour(one.label), label: one.label, rows: every.filter((i) => labels[i] === one.label) })) : [];
    if (!found.length) found.push({ title: "all", colour: 0, label: null, rows: every });
    if (now.rows) found.push({ title: "▭", colour: -1, label: null, rows: choice.members() });
    return found;
  }
  // The numbers behind the drawing, also for saving.
  function counted() {
    const values = table.values[shown], bins = binning(values), all = shares(values, values.keys(), bins);
    return { values, bins, all, lines: lines().map((line) => ({ ...line, ...shares(values, line.rows, bins) })) };
  }
  function draw() {
    if (!figure) return;
    const { values, bins, all, lines: found } = counted();
    const top = Math.max(...all.shares, ...found.flatMap((line) => line.shares)) || 1;
    const parts = found.map((line, r) => {
      const base = step * r + tall + 6, dim = now.cluster !== null && line.label !== null && line.label !== now.cluster;
      const word = bins.names ? bins.names[line.shares.indexOf(Math.max(...line.shares))] : null;
      const said = word === null ? middle(values, line.rows) : line.total ? paint.clip(String(word), 14) + " " + paint.percent(Math.max(...line.shares)) : "";
      return paint.make("g", { class: paint.colourClass(line.colour) + (dim ? " dim" : "") },
        paint.make("path", { d: steps(all.shares.map((s) => s / top), base, base - tall), class: "silhouette" }),
        paint.make("path", { d: steps(line.shares.map((s) => s / top), base, base - tall), class: "fill over" }),
        paint.make("line", { x1: left, y1: base, x2: right, y2: base, class: "rule" }),
        paint.make("text", { x: left - 8, y: base - 4, "text-anchor": "end", class: "bar-name" }, String(line.title)),
        paint.make("text", { x: right + 8, y: base - 4 }, said));
    });
    const foot = step * found.length + 22;
    const name = table.columns[shown];
    figure.querySelector(".by-cluster").replaceChildren(paint.make("svg", { viewBox: `0 0 ${width} ${foot + 6}`, class: "chart", role: "img",
      "aria-label": `${name} by cluster. ` + found.map((line) => `${line.title}: ${line.total} rows ${bins.names ? "" : middle(values, line.rows)}`).join("; ") }, parts, ticks(bins, foot)));
    figure.querySelector("select").value = String(shown);
  }
  function ticks(bins, y) {
    if (!bins.names) {
      return [[left, bins.low, "start"], [(left + right) / 2, (bins.low + bins.high) / 2, "middle"], [right, bins.high, "end"]]
        .map(([x, value, anchor]) => paint.make("text", { x, y, "text-anchor": anchor }, paint.number(value)));
    }
    const wide = (right - left) / bins.n;
    return bins.names.map((name, b) => paint.make("text", { x: left + (b + 0.5) * wide, y, "text-anchor": "middle" },
      paint.make("title", null, String(name)), paint.clip(String(name), Math.max(2, Math.floor(wide / 7)))));
  }

  // In the table of columns: the chosen rows over all rows, on the same bins.
  const strips = [...document.querySelectorAll("#columns tbody tr")].map((tr) => {
    const name = tr.querySelector("[data-column]").dataset.column, place = table ? table.columns.indexOf(name) : -1;
    const summary = ((findings.columns || []).find((one) => one.name === name) || {}).summary || {};
    return { tr, place, svg: tr.querySelector("svg.strip"), edges: summary.histogram ? summary.histogram.edges : null, levels: summary.levels || [], others: summary.n_other || 0 };
  }).filter((strip) => strip.svg && strip.place >= 0);
  function over(strip, rows) {
    return strip.edges ? overNumbers(strip, table.values[strip.place], rows) : overLevels(strip, table.values[strip.place], rows);
  }
  function overNumbers({ edges }, values, rows) {
    const n = edges.length - 1, counts = new Array(n).fill(0);
    for (const i of rows) {
      if (typeof values[i] === "number") counts[Math.max(0, Math.min(n - 1, Math.floor(n * (values[i] - edges[0]) / ((edges[n] - edges[0]) || 1))))] += 1;
    }
    const most = Math.max(...counts) || 1;
    return counts.map((count, b) => paint.make("rect", { x: 2 + 116 * b / n, y: 24 - 21 * count / most, width: 116 / n, height: 21 * count / most, class: "fill" }));
  }
  // Of each level, how much of it is chosen: its piece of the bar is filled so far.
  function overLevels({ levels: known, others }, values, rows) {
    const total = known.reduce((sum, level) => sum + level.count, others) || 1, all = new Map(), chosen = new Map();
    for (const value of values) all.set(String(value), (all.get(String(value)) || 0) + 1);
    for (const i of rows) chosen.set(String(values[i]), (chosen.get(String(values[i])) || 0) + 1);
    let start = 2;
    return known.map((level) => {
      const wide = 116 * level.count / total, name = String(level.value), share = (chosen.get(name) || 0) / (all.get(name) || 1);
      const piece = paint.make("rect", { x: start, y: 20 - 14 * share, width: Math.max(0, wide - 1), height: 14 * share, class: "fill" });
      start += wide;
      return piece;
    });
  }
  function drawStrips() {
    const some = now.cluster !== null || now.rows !== null, rows = some ? choice.members() : [];
    const colour = now.cluster === null ? "read-ink" : paint.colourClass(choice.colour(now.cluster));
    for (const strip of strips) {
      const before = strip.svg.querySelector(".chosen-rows");
      if (before) before.remove();
      if (some) strip.svg.append(paint.make("g", { class: "chosen-rows " + colour }, over(strip, rows)));
      strip.tr.classList.toggle("looked", strip.place === now.column);
    }
  }

  if (figure && points) {
    const used = new Set((findings.columns || []).filter((one) => one.used).map((one) => one.name));
    // First the column that sets the first cluster apart most, else the first that was used.
    const apart = (((findings.clusters || [])[0] || {}).distinct || []).map((one) => table.columns.indexOf(one.column)).find((place) => place >= 0);
    shown = apart ?? Math.max(0, table.columns.findIndex((name) => used.has(name)));
    figure.hidden = false;
    figure.querySelector("select").addEventListener("change", (event) => { shown = Number(event.target.value); choice.set({ column: shown }); });
    for (const strip of strips) {
      const name = strip.tr.querySelector("[data-column]"), button = paint.make("button", { type: "button", class: "column-link", title: "Show it on the map and cluster by cluster" }, ...name.childNodes);
      name.replaceChildren(button);
      button.addEventListener("click", () => { choice.set({ column: now.column === strip.place ? -1 : strip.place }); if (now.column >= 0) figure.scrollIntoView({ block: "nearest" }); });
    }
    document.addEventListener("click", (event) => {
      const item = event.target.closest(".distinct [data-column]"), place = item ? table.columns.indexOf(item.dataset.column) : -1;
      if (place >= 0) choice.set({ column: place });
    });
    choice.follow(() => {
      if (now.column >= 0) shown = now.column;
      draw();
      drawStrips();
      for (const item of document.querySelectorAll(".distinct [data-column]")) item.classList.toggle("looked", now.column >= 0 && item.dataset.column === table.columns[now.column]);
    });
    draw();
  }
  // Bins and counts as lines of a table.
  function binned() {
    const { bins, all, lines: found } = counted();
    const from = (b) => bins.names ? [bins.names[b]] : [bins.low + b * (bins.high - bins.low) / bins.n, bins.low + (b + 1) * (bins.high - bins.low) / bins.n];
    const head = [...(bins.names ? ["value"] : ["from", "to"]), "all", ...found.map((line) => line.label === null ? (line.title === "all" ? "rows" : "chosen") : "cluster " + line.title)];
    return [head, ...all.counts.map((count, b) => [...from(b), count, ...found.map((line) => line.counts[b])])];
  }
  return { levels, table: binned };
})();
