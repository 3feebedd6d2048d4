// The access matrix on a canvas: only what is visible is drawn, straight into pixels, so large ones move smoothly.
"use strict";
(function () {
  const canvas = document.querySelector(".access canvas");
  if (!canvas) return;
  document.querySelector(".access .unscripted").remove();
  const numbers = JSON.parse(document.getElementById("findings").textContent);
  const { users, permissions, rows } = numbers.matrix;
  const roles = numbers.roles;
  const n = users.length, d = permissions.length;
  const context = canvas.getContext("2d");
  const tip = document.querySelector(".access .tip");
  const spoken = document.querySelector("#picture .spoken");
  const readable = 11;         // pixels a name needs; smaller cells have none
  const longest = (names, most) => 16 + 6.2 * Math.min(most, names.reduce((length, name) => Math.max(length, name.length), 0));
  const bandLeft = longest(users, 22), bandTop = longest(permissions, 18);
  let width = 0, height = 0, palette = [], ink = {}, alone = null, waiting = false, at = null;
  // Cells are sx by sy pixels; (x, y) is the matrix position at the top left of the picture.
  let view = { x: 0, y: 0, sx: 1, sy: 1 };

  function least() {
    let sx = width / Math.max(1, d), sy = height / Math.max(1, n);
    for (let k = 0; k < 2; k++) {
      const left = sy >= readable ? Math.min(bandLeft, width / 3) : 0, top = sx >= readable ? Math.min(bandTop, height / 3) : 0;
      sx = (width - left) / Math.max(1, d);
      sy = (height - top) / Math.max(1, n);
    }
    return [Math.min(sx, 40), Math.min(sy, 40)];
  }
  function fit() {
    const [sx, sy] = least();
    view = { x: 0, y: 0, sx, sy };
    draw();
  }
  function gutter() {
    return { left: view.sy >= readable ? Math.min(bandLeft, width / 3) : 0, top: view.sx >= readable ? Math.min(bandTop, height / 3) : 0 };
  }
  function clamp() {
    const [sx, sy] = least(), room = gutter();
    view.sx = Math.min(40, Math.max(sx, view.sx));
    view.sy = Math.min(40, Math.max(sy, view.sy));
    view.x = Math.max(0, Math.min(d - (width - room.left) / view.sx, view.x));
    view.y = Math.max(0, Math.min(n - (height - room.top) / view.sy, view.y));
    if (d * view.sx <= width - room.left) view.x = 0;
    if (n * view.sy <= height - room.top) view.y = 0;
  }
  function zoom(factor, px, py) {
    const room = gutter();
    const cx = view.x + (px - room.left) / view.sx, cy = view.y + (py - room.top) / view.sy;
    // From the whole picture cells become square first: then both directions grow together.
    view.sx *= factor;
    view.sy *= factor;
    if (factor > 1 && view.sx !== view.sy) {
      const low = Math.min(view.sx, view.sy), high = Math.max(view.sx, view.sy);
      const next = Math.min(high, low * factor);
      if (view.sx < view.sy) view.sx = next; else view.sy = next;
    }
    clamp();
    const now = gutter();
    view.x = cx - (px - now.left) / view.sx;
    view.y = cy - (py - now.top) / view.sy;
    clamp();
    draw();
  }

  function readColours() {
    const probe = document.createElement("i");
    probe.hidden = true;
    document.body.append(probe);
    const read = (name) => { probe.className = name; return getComputedStyle(probe).color; };
    palette = Array.from({ length: numbers.colours }, (_, k) => pixel(read("c" + k)));
    ink = { surface: read("read-surface"), ink: read("read-ink"), rule: read("read-rule"), quiet: read("read-quiet"), added: read("c6") };
    ink.back = pixel(ink.surface);
    ink.beside = pixel(ink.ink);
    ink.faint = pixel(ink.rule);
    ink.add = pixel(ink.added);
    probe.remove();
  }
  function pixel(colour) {
    const one = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    one.fillStyle = colour;
    one.fillRect(0, 0, 1, 1);
    const [r, g, b] = one.getImageData(0, 0, 1, 1).data;
    return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  }
  function mixed(colour, back) {
    let out = 255 << 24;
    for (const shift of [0, 8, 16]) out |= Math.round(0.45 * (colour >> shift & 255) + 0.55 * (back >> shift & 255)) << shift;
    return out >>> 0;
  }
  function colourOf(value) {
    if (value === -1) return alone === null ? ink.beside : ink.faint;
    if (value === -2) return mixed(ink.add, ink.back);
    return alone === null || alone === value ? palette[value % palette.length] : ink.faint;
  }

  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; paint(); });
  }
  function paint() {
    if (!width || !d || !n) return;
    const scale = devicePixelRatio || 1, room = gutter();
    const W = canvas.width, H = canvas.height;
    const image = context.createImageData(W, H);
    const pixels = new Uint32Array(image.data.buffer).fill(ink.back);
    const left = Math.round(room.left * scale), top = Math.round(room.top * scale), sx = view.sx * scale, sy = view.sy * scale;
    const gap = sx >= 5 * scale && sy >= 5 * scale ? 1 : 0;
    const first = Math.max(0, Math.floor(view.y)), last = Math.min(n, Math.ceil(view.y + (H - top) / sy));
    const begin = view.x, end = view.x + (W - left) / sx;
    for (let i = first; i < last; i++) {
      const y0 = Math.max(top, Math.floor(top + (i - view.y) * sy));
      const y1 = Math.min(H, Math.max(y0 + 1, Math.floor(top + (i + 1 - view.y) * sy) - gap));
      for (const [start, length, value] of rows[i]) {
        if (start + length <= begin) continue;
        if (start >= end) break;
        const colour = colourOf(value);
        if (gap) for (let j = start; j < start + length; j++) fill(j, j + 1, colour);
        else fill(start, start + length, colour);
      }
      function fill(a, b, colour) {
        const x0 = Math.max(left, Math.floor(left + (a - view.x) * sx));
        const x1 = Math.min(W, Math.max(x0 + 1, Math.floor(left + (b - view.x) * sx) - gap));
        for (let y = y0; y < y1; y++) if (x1 > x0) pixels.fill(colour, y * W + x0, y * W + x1);
      }
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.putImageData(image, 0, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    names(room);
    if (at) mark(room);
  }
  function names(room) {
    context.fillStyle = ink.quiet;
    context.font = "11px " + getComputedStyle(document.body).fontFamily;
    context.textBaseline = "middle";
    const short = (name, most) => name.length > most ? name.slice(0, most - 1) + "…" : name;
    if (room.left) {
      context.textAlign = "right";
      for (let i = Math.floor(view.y); i < Math.min(n, view.y + height / view.sy); i++) {
        const y = room.top + (i + 0.5 - view.y) * view.sy;
        if (y > room.top + 3) context.fillText(short(users[i], 22), room.left - 7, y, room.left - 10);
      }
    }
    if (room.top) {
      context.textAlign = "left";
      for (let j = Math.floor(view.x); j < Math.min(d, view.x + width / view.sx); j++) {
        const x = room.left + (j + 0.5 - view.x) * view.sx;
        if (x < room.left + 3) continue;
        context.save();
        context.translate(x, room.top - 6);
        context.rotate(-Math.PI / 2);
        context.fillText(short(permissions[j], 18), 0, 0, room.top - 10);
        context.restore();
      }
    }
  }
  function mark(room) {
    context.strokeStyle = ink.ink;
    context.lineWidth = 1.5;
    context.strokeRect(room.left + (at.j - view.x) * view.sx, room.top + (at.i - view.y) * view.sy, Math.max(3, view.sx), Math.max(3, view.sy));
  }

  function cell(px, py) {
    const room = gutter();
    const j = Math.floor(view.x + (px - room.left) / view.sx), i = Math.floor(view.y + (py - room.top) / view.sy);
    return px < room.left || py < room.top || i < 0 || j < 0 || i >= n || j >= d ? null : { i, j };
  }
  function value(i, j) {
    for (const [start, length, found] of rows[i]) if (j >= start && j < start + length) return found;
    return null;
  }
  function words({ i, j }) {
    const found = value(i, j);
    const what = found === null ? "no access" : found === -1 ? "grant beside the roles" : found === -2 ? "would be added" : roles[found];
    return [users[i], permissions[j], what];
  }
  function show(place, aloud) {
    at = place;
    tip.hidden = !place;
    if (place) {
      const room = gutter(), lines = words(place);
      tip.replaceChildren(...lines.map((line, k) => {
        const part = document.createElement(k === 2 ? "strong" : "span");
        part.textContent = line;
        return part;
      }));
      const x = room.left + (place.j + 1 - view.x) * view.sx, y = room.top + (place.i - view.y) * view.sy;
      tip.style.left = Math.max(4, Math.min(width - tip.offsetWidth - 4, x + 10)) + "px";
      tip.style.top = Math.max(4, y > tip.offsetHeight + 14 ? y - tip.offsetHeight - 8 : y + view.sy + 12) + "px";
      if (aloud) spoken.textContent = lines.join(", ");
    }
    draw();
  }

  // One role in colour, the others faint, and its cells as large as the picture allows.
  function isolate(role) {
    alone = role;
    let top = n, bottom = 0, first = d, last = 0;
    rows.forEach((row, i) => row.forEach(([start, length, found]) => {
      if (found !== role) return;
      top = Math.min(top, i);
      bottom = Math.max(bottom, i + 1);
      first = Math.min(first, start);
      last = Math.max(last, start + length);
    }));
    if (bottom <= top) { fit(); return; }
    view.sx = 0.7 * width / (last - first);
    view.sy = 0.7 * height / (bottom - top);
    clamp();
    const room = gutter();
    view.x = (first + last) / 2 - (width - room.left) / view.sx / 2;
    view.y = (top + bottom) / 2 - (height - room.top) / view.sy / 2;
    clamp();
    show(null);
  }

  function resize() {
    const scale = devicePixelRatio || 1, whole = view.sx <= least()[0] * 1.001 && view.sy <= least()[1] * 1.001;
    canvas.style.height = "";
    const enough = Math.max(40 * n + bandTop + 8, 3 * bandTop); // cells are 40 pixels high at most
    if (enough < canvas.clientHeight) canvas.style.height = `${Math.ceil(enough)}px`;
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    if (whole || !view.ready) { fit(); view.ready = true; } else { clamp(); draw(); }
  }

  const touches = new Map();
  let spread = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, [event.offsetX, event.offsetY]);
    canvas.classList.add("dragged");
    spread = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = touches.get(event.pointerId);
    if (!before) { show(cell(event.offsetX, event.offsetY)); return; }
    touches.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (touches.size === 2) {
      const [a, b] = [...touches.values()];
      const now = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (spread) zoom(now / spread, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      spread = now;
      return;
    }
    view.x -= (event.offsetX - before[0]) / view.sx;
    view.y -= (event.offsetY - before[1]) / view.sy;
    clamp();
    show(cell(event.offsetX, event.offsetY));
  });
  for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => {
    touches.delete(event.pointerId);
    spread = 0;
    if (!touches.size) canvas.classList.remove("dragged");
    if (kind === "pointerup") show(cell(event.offsetX, event.offsetY), true);
  });
  canvas.addEventListener("pointerleave", () => show(null));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const place = at || { i: Math.floor(view.y), j: Math.floor(view.x) };
      const next = at ? { i: Math.min(n - 1, Math.max(0, place.i + step[1])), j: Math.min(d - 1, Math.max(0, place.j + step[0])) } : place;
      const room = gutter(), wide = (width - room.left) / view.sx, high = (height - room.top) / view.sy;
      view.x = Math.min(next.j, Math.max(next.j + 1 - wide, view.x));
      view.y = Math.min(next.i, Math.max(next.i + 1 - high, view.y));
      clamp();
      show(next, true);
    } else if (event.key === "+" || event.key === "=") zoom(1.5, width / 2, height / 2);
    else if (event.key === "-") zoom(1 / 1.5, width / 2, height / 2);
    else if (event.key === "0") fit();
    else if (event.key === "Escape") { alone = null; show(null); }
    else return;
    event.preventDefault();
  });
  for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => {
    if (button.dataset.zoom === "fit") { alone = null; fit(); }
    else zoom(button.dataset.zoom === "in" ? 1.6 : 1 / 1.6, width / 2, height / 2);
  });
  for (const link of document.querySelectorAll("[data-role]")) link.addEventListener("click", () => {
    isolate(Number(link.dataset.role));
  });
  document.addEventListener("themechange", () => { readColours(); draw(); });
  readColours();
  new ResizeObserver(resize).observe(canvas);
})();
