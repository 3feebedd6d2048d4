// The map: rows as points on a canvas, one shape and colour a cluster. Point, tap or arrow keys name a row; a rectangle
// or a lasso chooses rows.
const map = (function () {
  const canvas = document.querySelector(".map canvas");
  if (!canvas) return null;
  document.querySelector(".unscripted").remove();
  const { findings, points, table, now } = choice;
  const n = points.x.length;
  const tip = document.querySelector(".map .tip");
  const spoken = document.querySelector(".map .spoken");
  const tools = document.querySelector(".map-tools");
  const shapesOf = [...tools.querySelectorAll(".brush, .lasso")], colourBy = tools.querySelector(".colour-by"), scaleOf = tools.querySelector(".scale-of");
  const shapes = paint.paths.map((path) => new Path2D(path));
  const context = canvas.getContext("2d");
  const margin = 18, told = 3;
  const order = shuffled();
  const bounds = [...range(points.x), ...range(points.y)];
  let width = 0, height = 0, radius = 4, colours = [], ink = {}, fills = null, active = -1, drag = null;

  function range(values) {
    let low = Infinity, high = -Infinity;
    for (const v of values) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); }
    if (!(high > low)) { low -= 1; high += 1; }
    return [low, high];
  }
  // A fixed mixed order, so that no cluster always lies on top.
  function shuffled() {
    const mixed = Array.from({ length: n }, (_, i) => i);
    let state = 12345;
    for (let i = n - 1; i > 0; i--) {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      const j = state % (i + 1);
      [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
    }
    return mixed;
  }
  function left(i) {
    return margin + (points.x[i] - bounds[0]) / (bounds[1] - bounds[0]) * (width - 2 * margin);
  }
  function top(i) {
    return height - margin - (points.y[i] - bounds[2]) / (bounds[3] - bounds[2]) * (height - 2 * margin);
  }
  function placed(i) {
    return points.x[i] !== null && points.y[i] !== null;
  }
  function visible(i) {
    return placed(i) && (now.cluster === null || choice.labels()[i] === now.cluster);
  }
  // Fades a point; with one cluster, or where nobody knows, there is nothing to fade.
  function certainty(i) {
    const sure = choice.isOwn() && now.k > 1 && points.confidence ? points.confidence[i] : null;
    return typeof sure === "number" ? sure : 1;
  }

  function readColours() {
    colours = Array.from({ length: 12 }, (_, c) => paint.computed("c" + c));
    for (const name of ["surface", "ink", "rule", "cx", "low", "middle", "high"]) ink[name] = paint.computed("read-" + name);
    fills = columnFills();
  }
  function colourOf(i) {
    if (fills) return fills[i];
    const colour = choice.colour(choice.labels()[i]);
    return colour < 0 ? ink.cx : colours[colour % 12];
  }

  // Colours by the values of a column: a scale for numbers, one each for the most frequent words.
  function columnFills() {
    if (now.column < 0) return null;
    const values = table.values[now.column];
    const numbers = values.filter((value) => typeof value === "number");
    if (!numbers.length) {
      const levels = column.levels(values);
      return values.map((value) => levels.indexOf(value) < 0 ? ink.cx : colours[levels.indexOf(value) % 12]);
    }
    const sorted = [...numbers].sort((a, b) => a - b);
    const low = sorted[Math.floor(0.02 * (sorted.length - 1))], high = sorted[Math.ceil(0.98 * (sorted.length - 1))];
    return values.map((value) => typeof value === "number" ? shade((value - low) / ((high - low) || 1)) : ink.cx);
  }
  function shade(share) {
    const stops = [ink.low, ink.middle, ink.high].map((colour) => colour.match(/[\d.]+/g).map(Number));
    const at = 2 * Math.min(1, Math.max(0, share)), from = stops[Math.min(1, Math.floor(at))], to = stops[Math.min(1, Math.floor(at)) + 1];
    const part = at - Math.min(1, Math.floor(at));
    return "rgb(" + from.slice(0, 3).map((value, j) => Math.round(value + part * (to[j] - value))).join(",") + ")";
  }
  // What the colours of a column mean, in words and colours.
  function showScale() {
    scaleOf.hidden = now.column < 0;
    if (now.column < 0) return;
    const values = table.values[now.column];
    const numbers = values.filter((value) => typeof value === "number");
    if (!numbers.length) {
      scaleOf.replaceChildren(...column.levels(values).map((level, c) => paint.make("span", { class: "swatch-of" },
        paint.make("svg", { class: "mark " + paint.colourClass(c), width: 10, height: 10, "aria-hidden": "true" }, paint.make("rect", { width: 10, height: 10 })),
        " " + paint.clip(String(level), 24))));
      return;
    }
    const steps = Array.from({ length: 18 }, (_, j) => paint.make("rect", { x: 5 * j, width: 5.5, height: 10, fill: shade(j / 17) }));
    const ramp = paint.make("svg", { width: 90, height: 10, "aria-hidden": "true" }, steps);
    const [low, high] = range(numbers);
    scaleOf.replaceChildren(paint.number(low) + " ", ramp, " " + paint.number(high));
  }

  function resize() {
    const scale = devicePixelRatio || 1;
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    radius = Math.max(1.8, Math.min(5, 0.45 * Math.sqrt(width * height / (n + 1) / 3)));
    draw();
  }

  function stamp(i, size, colour, alpha) {
    const scale = devicePixelRatio || 1;
    context.setTransform(scale * size, 0, 0, scale * size, scale * left(i), scale * top(i));
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.fill(shapes[paint.shapeOf(choice.colour(choice.labels()[i]))], "evenodd");
  }

  function draw() {
    if (!width) return;
    const scale = devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.globalAlpha = 1;
    context.clearRect(0, 0, width, height);
    drawAxes();
    const some = now.cluster !== null || now.rows !== null;
    if (some) for (const i of order) if (placed(i) && !choice.isMember(i)) stamp(i, radius * 0.8, ink.cx, 0.18);
    for (const i of order) if (placed(i) && choice.isMember(i)) stamp(i, radius, colourOf(i), 0.3 + 0.55 * certainty(i) ** 2);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.globalAlpha = 1;
    if (now.k > 1) drawNumbers();
    if (drag && drag.moved) brush.draw(drag, context, ink.ink);
    for (const i of new Set([now.row, active])) if (i >= 0 && placed(i)) drawRing(i);
  }

  function drawAxes() {
    context.strokeStyle = ink.rule;
    context.lineWidth = 1;
    context.beginPath();
    const x = margin - bounds[0] / (bounds[1] - bounds[0]) * (width - 2 * margin);
    const y = height - margin + bounds[2] / (bounds[3] - bounds[2]) * (height - 2 * margin);
    if (bounds[0] < 0 && bounds[1] > 0) { context.moveTo(x, 0); context.lineTo(x, height); }
    if (bounds[2] < 0 && bounds[3] > 0) { context.moveTo(0, y); context.lineTo(width, y); }
    context.stroke();
  }

  function median(values) {
    return values.sort((a, b) => a - b)[values.length >> 1];
  }
  // The point of a cluster nearest to its middle: the middle of a ring is not in it.
  function placeOf(members) {
    const x = median(members.map(left)), y = median(members.map(top));
    const away = (i) => (left(i) - x) ** 2 + (top(i) - y) ** 2;
    return members.reduce((best, i) => (away(i) < away(best) ? i : best));
  }
  // The cluster's number in its middle: read on the map, not by colour.
  function drawNumbers() {
    context.font = "600 12px " + getComputedStyle(document.body).fontFamily;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const { label } of choice.clusters()) {
      const members = order.filter((i) => choice.labels()[i] === label && visible(i));
      if (!members.length) continue;
      const place = placeOf(members), x = left(place), y = top(place), shown = String(label);
      context.beginPath();
      context.roundRect(x - 9 - 3 * (shown.length - 1), y - 9, 18 + 6 * (shown.length - 1), 18, 9);
      context.fillStyle = ink.surface;
      context.fill();
      context.lineWidth = 1.5;
      context.strokeStyle = colours[choice.colour(label) % 12];
      context.stroke();
      context.fillStyle = ink.ink;
      context.fillText(shown, x, y + 0.5);
    }
  }
  function drawRing(i) {
    context.beginPath();
    context.arc(left(i), top(i), radius + 5, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle = ink.ink;
    context.stroke();
  }
  function words(i) {
    const label = choice.labels()[i], cluster = choice.clusters().find((one) => one.label === label);
    const parts = ["Row " + points.row[i].toLocaleString("en") + (table && table.ids ? ": " + paint.clip(table.ids[i], 40) : "")];
    if (label < 0) parts.push("left out");
    else if (now.k > 1) parts.push("cluster " + label + (cluster && cluster.name ? ": " + cluster.name : ""));
    const sure = choice.isOwn() && points.confidence ? points.confidence[i] : null;
    if (now.k > 1 && label >= 0 && sure !== null && sure !== undefined) {
      parts.push("confidence " + (sure > 0.995 && sure < 1 ? "> 99" : Math.round(100 * sure)) + " %");
    }
    return parts;
  }
  // The first columns that were used, and the one that is looked at.
  function values(i) {
    if (!table) return [];
    const used = new Set((findings.columns || []).filter((one) => one.used).map((one) => one.name));
    const names = table.columns, first = names.map((_, j) => j).filter((j) => used.has(names[j])).slice(0, told);
    const shown = now.column >= 0 && !first.includes(now.column) ? [now.column, ...first] : first;
    return shown.map((j) => paint.clip(names[j], 30) + " " + paint.clip(paint.cell(table.values[j][i]), 30));
  }

  // Names a row beside its point; text stays text.
  function show(i, aloud) {
    active = i;
    tip.hidden = i < 0;
    if (i >= 0) {
      const lines = words(i).map((line, j) => paint.make(j ? "span" : "strong", null, line));
      tip.replaceChildren(...lines, ...values(i).map((line) => paint.make("span", { class: "value-of" }, line)));
      const x = left(i), y = top(i);
      tip.style.left = Math.max(4, Math.min(width - tip.offsetWidth - 4, x + 12)) + "px";
      tip.style.top = (y > tip.offsetHeight + 20 ? y - tip.offsetHeight - 12 : y + 14) + "px";
      if (aloud) spoken.textContent = [...words(i), ...values(i)].join(", ");
    }
    draw();
  }

  // The visible point of least cost below a bound; cost(dx, dy) is measured from (x, y).
  function closest(x, y, bound, cost) {
    let best = -1, least = bound;
    for (let i = 0; i < n; i++) {
      if (!visible(i)) continue;
      const c = cost(left(i) - x, top(i) - y);
      if (c < least) { least = c; best = i; }
    }
    return best;
  }
  function at(event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  function pointed(event, reach) {
    const i = closest(...at(event), reach, Math.hypot);
    if (i !== active) show(i);
  }

  canvas.addEventListener("pointerdown", (event) => {
    const [x, y] = at(event);
    pointed(event, event.pointerType === "mouse" ? 24 : 36);
    if (event.button || (event.pointerType !== "mouse" && !drawing())) return;
    drag = brush.start(x, y, drawing() === "lasso");
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) {
      brush.move(drag, ...at(event));
      if (drag.moved) { tip.hidden = true; active = -1; draw(); }
    } else if (event.pointerType === "mouse") pointed(event, 24);
  });
  canvas.addEventListener("pointerup", () => {
    const done = drag;
    drag = null;
    if (!done) return;
    if (!done.moved) { choice.set({ row: active, rows: active < 0 ? null : now.rows }); return; }
    const found = points.x.map((_, i) => i).filter((i) => visible(i) && brush.holds(done, left(i), top(i)));
    choice.set({ rows: found.length ? new Set(found) : null });
    choice.tell(found.length + " rows chosen");
  });
  canvas.addEventListener("pointercancel", () => { drag = null; draw(); });
  canvas.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse" && !drag) show(-1); });

  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function toggle(i) {
    const rows = new Set(now.rows || []);
    if (!rows.delete(i)) rows.add(i);
    choice.set({ rows: rows.size ? rows : null });
    choice.tell(rows.size + (rows.size === 1 ? " row chosen" : " rows chosen"));
  }
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && active >= 0) { event.stopPropagation(); show(-1); return; }
    if (event.key === " " && active >= 0) { event.preventDefault(); toggle(active); return; }
    if (event.key === "Enter" && active >= 0) { choice.set({ row: active }); rows.open(); return; }
    const way = directions[event.key];
    if (!way) return;
    event.preventDefault();
    if (active < 0) { show(closest(width / 2, height / 2, Infinity, Math.hypot), true); return; }
    const next = closest(left(active), top(active), Infinity, (dx, dy) => {
      const forward = dx * way[0] + dy * way[1], aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      return forward > 0.5 ? forward + 2 * aside : Infinity;
    });
    if (next >= 0) show(next, true);
  });
  canvas.addEventListener("blur", () => { if (active >= 0) show(-1); });

  // Which of the two shapes is switched on: a mouse draws a rectangle even if none is, a finger then scrolls.
  function drawing() {
    const on = shapesOf.find((button) => button.getAttribute("aria-pressed") === "true");
    return on ? on.classList[0] : null;
  }
  for (const button of shapesOf) button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const each of shapesOf) each.setAttribute("aria-pressed", String(each === button && on));
    canvas.classList.toggle("brushing", on);
  });
  if (colourBy) colourBy.addEventListener("change", () => choice.set({ column: colourBy.value === "" ? -1 : Number(colourBy.value) }));

  // The picture as an SVG, for saving: the same marks at the same places.
  function picture() {
    const stamps = order.filter(placed).map((i) => {
      const member = choice.isMember(i), size = member ? radius : 0.8 * radius;
      return paint.make("path", {
        d: paint.paths[paint.shapeOf(choice.colour(choice.labels()[i]))], "fill-rule": "evenodd", fill: member ? colourOf(i) : ink.cx,
        "fill-opacity": (member ? 0.3 + 0.55 * certainty(i) ** 2 : 0.18).toFixed(2),
        transform: `translate(${left(i).toFixed(1)} ${top(i).toFixed(1)}) scale(${size.toFixed(2)})`,
      });
    });
    const named = (words, x, y, anchor) => paint.make("text", { x, y, fill: ink.ink, "font-size": 12, "font-family": "sans-serif", "text-anchor": anchor }, words || "");
    return paint.make("svg", { viewBox: `0 0 ${width} ${height + 40}`, width, height: height + 40 }, paint.make("g", { transform: "translate(0 18)" }, stamps),
      named("↑ " + points.y_label, 4, 14, "start"), named(points.x_label + " →", width - 4, height + 34, "end"));
  }

  choice.follow((changes) => {
    if ("column" in changes) { if (colourBy) colourBy.value = now.column < 0 ? "" : String(now.column); showScale(); }
    fills = columnFills();
    if ("cluster" in changes || "k" in changes) show(-1); else draw();
  });
  document.addEventListener("themechange", () => { readColours(); showScale(); draw(); });
  tools.hidden = false;
  readColours();
  resize();
  new ResizeObserver(resize).observe(canvas);
  return { picture };
})();
