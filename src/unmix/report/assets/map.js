// The map: rows as points on a canvas, one shape and colour a cluster; point, tap or arrow keys name a row.
"use strict";
(function () {
  const canvas = document.querySelector(".map canvas");
  if (!canvas) return;
  document.querySelector(".unscripted").remove();
  const findings = JSON.parse(document.getElementById("findings").textContent);
  const points = findings.map;
  const n = points.x.length;
  const clusters = new Map(findings.clusters.map((cluster) => [cluster.label, cluster]));
  const tip = document.querySelector(".map .tip");
  const spoken = document.querySelector(".map .spoken");
  const keys = [...document.querySelectorAll(".legend .key")];
  const all = document.querySelector(".legend .all");
  const shapes = [...document.querySelectorAll(".symbols path")].map((path) => new Path2D(path.getAttribute("d")));
  const context = canvas.getContext("2d");
  const margin = 18;
  const order = shuffled();
  const bounds = [...range(points.x), ...range(points.y)];
  let width = 0, height = 0, radius = 4, colours = new Map(), ink = {}, alone = null, active = -1;

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
  // The same rule as marks.py.
  function shapeOf(label) {
    return label < 0 ? shapes[0] : shapes[(label + Math.floor(label / 12)) % shapes.length];
  }
  function colourClass(label) {
    return label < 0 ? "cx" : "c" + (label % 12);
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
    return placed(i) && (alone === null || points.label[i] === alone);
  }

  // Fades a point; with one cluster, or where nobody knows, there is nothing to fade.
  function certainty(i) {
    const sure = clusters.size > 1 && points.confidence ? points.confidence[i] : null;
    return typeof sure === "number" ? sure : 1;
  }

  function readColours() {
    const probe = document.createElement("i");
    probe.hidden = true;
    document.body.append(probe);
    colours = new Map();
    for (const label of new Set(points.label)) {
      probe.className = colourClass(label);
      colours.set(label, getComputedStyle(probe).color);
    }
    for (const name of ["surface", "ink", "rule", "cx"]) {
      probe.className = "read-" + name;
      ink[name] = getComputedStyle(probe).color;
    }
    probe.remove();
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
    context.fill(shapeOf(points.label[i]), "evenodd");
  }

  function draw() {
    if (!width) return;
    const scale = devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.globalAlpha = 1;
    context.clearRect(0, 0, width, height);
    drawAxes();
    if (alone !== null) for (const i of order) if (placed(i) && !visible(i)) stamp(i, radius * 0.8, ink.cx, 0.18);
    for (const i of order) {
      if (!visible(i)) continue;
      stamp(i, radius, colours.get(points.label[i]), 0.3 + 0.55 * certainty(i) ** 2);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.globalAlpha = 1;
    if (clusters.size > 1) drawNumbers();
    if (active >= 0) drawActive();
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
  // The cluster's number in its middle: read on the map, not by colour.
  function drawNumbers() {
    context.font = "600 12px " + getComputedStyle(document.body).fontFamily;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const label of clusters.keys()) {
      const own = order.filter((i) => points.label[i] === label && visible(i));
      if (!own.length) continue;
      const x = median(own.map(left)), y = median(own.map(top)), shown = String(label);
      context.beginPath();
      context.roundRect(x - 9 - 3 * (shown.length - 1), y - 9, 18 + 6 * (shown.length - 1), 18, 9);
      context.fillStyle = ink.surface;
      context.fill();
      context.lineWidth = 1.5;
      context.strokeStyle = colours.get(label);
      context.stroke();
      context.fillStyle = ink.ink;
      context.fillText(shown, x, y + 0.5);
    }
  }

  function drawActive() {
    context.beginPath();
    context.arc(left(active), top(active), radius + 5, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle = ink.ink;
    context.stroke();
  }

  function words(i) {
    const label = points.label[i], cluster = clusters.get(label);
    const parts = ["Row " + points.row[i].toLocaleString("en")];
    if (label < 0) parts.push("left out");
    else if (clusters.size > 1) parts.push("cluster " + label + (cluster && cluster.name ? ": " + cluster.name : ""));
    const sure = points.confidence ? points.confidence[i] : null;
    if (clusters.size > 1 && label >= 0 && sure !== null && sure !== undefined) {
      parts.push("confidence " + (sure > 0.995 && sure < 1 ? "> 99" : Math.round(100 * sure)) + " %");
    }
    return parts;
  }

  // Names a row beside its point; textContent keeps names text.
  function show(i, aloud) {
    active = i;
    tip.hidden = i < 0;
    if (i >= 0) {
      tip.replaceChildren(...words(i).map((line, j) => {
        const part = document.createElement(j ? "span" : "strong");
        part.textContent = line;
        return part;
      }));
      const x = left(i), y = top(i);
      tip.style.left = Math.max(4, Math.min(width - tip.offsetWidth - 4, x + 12)) + "px";
      tip.style.top = (y > tip.offsetHeight + 20 ? y - tip.offsetHeight - 12 : y + 14) + "px";
      if (aloud) spoken.textContent = words(i).join(", ");
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

  function isolate(label) {
    alone = label;
    for (const key of keys) key.setAttribute("aria-pressed", String(alone !== null && Number(key.dataset.label) === alone));
    if (all) all.hidden = alone === null;
    show(-1);
  }

  function pointed(event, reach) {
    const box = canvas.getBoundingClientRect();
    const i = closest(event.clientX - box.left, event.clientY - box.top, reach, Math.hypot);
    if (i !== active) show(i);
  }
  canvas.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") pointed(event, 24); });
  canvas.addEventListener("pointerdown", (event) => pointed(event, 36));
  canvas.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") show(-1); });

  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { show(-1); return; }
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

  for (const key of keys) {
    key.addEventListener("click", () => {
      const label = Number(key.dataset.label);
      isolate(alone === label ? null : label);
    });
  }
  if (all) all.addEventListener("click", () => { isolate(null); keys[0].focus(); });
  for (const link of document.querySelectorAll("[data-isolate]")) {
    link.addEventListener("click", () => isolate(Number(link.dataset.isolate)));
  }
  document.addEventListener("themechange", () => { readColours(); draw(); });
  readColours();
  resize();
  new ResizeObserver(resize).observe(canvas);
})();
