// Every row as a point, straight into pixels: some hundred thousand move smoothly, more are shown as density.
// Rows inside a lasso, or in view, are chosen: the others turn grey, and a group can be made of them.
import { send } from "./server.js";

const section = document.getElementById("cloud"), canvas = section.querySelector("canvas"), context = canvas.getContext("2d");
const open = document.getElementById("open-cloud"), told = document.getElementById("cloud-told"), dense = document.getElementById("dense");
const many = 200_000; // points beyond which the picture begins as density
const lasso = document.getElementById("cloud-lasso"), none = document.getElementById("cloud-none"), grey = 12;
let n = 0, x, y, row, label, shown, drawing = null, view = { x: 0, y: 0, scale: 1 }, whole = view, width = 0, height = 0, palette = null, back = 0, waiting = false;

function read(buffer) {
  n = new DataView(buffer).getUint32(0, true);
  x = new Float32Array(buffer, 4, n);
  y = new Float32Array(buffer, 4 + 4 * n, n);
  row = new Uint32Array(buffer, 4 + 8 * n, n);
  label = new Int16Array(buffer, 4 + 12 * n, n);
  shown = new Uint8Array(n);
  colour(null);
}
// Which colour each point has; `inside` marks those that are chosen, null if nothing is.
function colour(inside) {
  for (let i = 0; i < n; i++) shown[i] = label[i] < 0 || (inside && !inside[i]) ? grey : label[i] % 12;
}
function choose(inside) {
  const rows = [];
  if (inside) for (let i = 0; i < n; i++) if (inside[i]) rows.push(row[i]);
  const some = rows.length > 0;
  colour(some ? inside : null);
  none.hidden = !some;
  told.textContent = some ? `${rows.length.toLocaleString("en")} row${rows.length === 1 ? " is" : "s are"} chosen; make a group of them below.` : inside ? "No row is there." : "Nothing is chosen.";
  document.dispatchEvent(new CustomEvent("rowsdrawn", { detail: rows }));
  draw();
}
// Even and odd crossings of a ray; `path` in the units of the picture's plane.
function within(path) {
  const inside = new Uint8Array(n);
  for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
    const [ax, ay] = path[a], [bx, by] = path[b];
    for (let i = 0; i < n; i++) if (ay > y[i] !== by > y[i] && x[i] < (bx - ax) * (y[i] - ay) / (by - ay) + ax) inside[i] ^= 1;
  }
  return inside;
}
function place(px, py) {
  return [view.x + (px - width / 2) / view.scale, view.y - (py - height / 2) / view.scale];
}
function inView() {
  return within([place(0, 0), place(width, 0), place(width, height), place(0, height)]);
}
function press(on) {
  lasso.setAttribute("aria-pressed", on);
  canvas.style.cursor = on ? "crosshair" : "";
}
function drawPath(ratio) {
  if (!drawing) return;
  context.beginPath();
  for (const [px, py] of drawing) context.lineTo(px * ratio, py * ratio);
  context.strokeStyle = paint.computed("read-ink");
  context.lineWidth = 1.5 * ratio;
  context.stroke();
}
function pixel(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}
function readColours() {
  palette = new Uint32Array(13);
  for (let c = 0; c < 12; c++) palette[c] = pixel(paint.computed("c" + c));
  palette[12] = pixel(paint.computed("read-cx"));
  back = pixel(paint.computed("read-surface"));
}
function fit() {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < n; i++) {
    if (x[i] < left) left = x[i];
    if (x[i] > right) right = x[i];
    if (y[i] < low) low = y[i];
    if (y[i] > high) high = y[i];
  }
  const scale = 0.94 * Math.min(width / ((right - left) || 1), height / ((high - low) || 1));
  whole = { x: (left + right) / 2, y: (low + high) / 2, scale };
  view = { ...whole };
  draw();
}
function draw() {
  if (waiting || !n) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; paintAll(); });
}
function paintAll() {
  const ratio = canvas.width / width, W = canvas.width, H = canvas.height, image = context.createImageData(W, H);
  const pixels = new Uint32Array(image.data.buffer), s = view.scale * ratio, a = W / 2 - view.x * s, b = H / 2 + view.y * s;
  if (dense.checked) shade(pixels, W, H, s, a, b); else points(pixels, W, H, s, a, b);
  context.putImageData(image, 0, 0);
  drawPath(ratio);
}
function points(pixels, W, H, s, a, b) {
  pixels.fill(back);
  const size = Math.max(1, Math.min(4, Math.round(1.6 * canvas.width / width * Math.sqrt(view.scale / whole.scale) ** 0.5)));
  for (let i = 0; i < n; i++) {
    const px = x[i] * s + a | 0, py = b - y[i] * s | 0;
    if (px < 0 || py < 0 || px > W - size || py > H - size) continue;
    const colour = palette[shown[i]];
    for (let dy = 0, at = py * W + px; dy < size; dy++, at += W) for (let dx = 0; dx < size; dx++) pixels[at + dx] = colour;
  }
}
// The more rows behind a pixel, the stronger the colour of the last of their clusters.
function shade(pixels, W, H, s, a, b) {
  const counts = new Uint32Array(W * H), last = new Uint8Array(W * H);
  let most = 1;
  for (let i = 0; i < n; i++) {
    const px = x[i] * s + a | 0, py = b - y[i] * s | 0;
    if (px < 0 || py < 0 || px >= W || py >= H) continue;
    const at = py * W + px, count = ++counts[at];
    if (count === 1 || shown[i] !== grey) last[at] = shown[i];
    if (count > most) most = count;
  }
  const full = Math.log1p(most), r = back & 255, g = back >> 8 & 255, u = back >> 16 & 255;
  for (let at = 0; at < counts.length; at++) {
    if (!counts[at]) { pixels[at] = back; continue; }
    const share = 0.25 + 0.75 * Math.log1p(counts[at]) / full, colour = palette[last[at]];
    pixels[at] = (255 << 24 | Math.round(u + share * ((colour >> 16 & 255) - u)) << 16 | Math.round(g + share * ((colour >> 8 & 255) - g)) << 8 | Math.round(r + share * ((colour & 255) - r))) >>> 0;
  }
}
function zoom(factor, px = width / 2, py = height / 2) {
  const at = { x: view.x + (px - width / 2) / view.scale, y: view.y - (py - height / 2) / view.scale };
  view.scale = Math.min(1e4 * whole.scale, Math.max(0.5 * whole.scale, view.scale * factor));
  view.x = at.x - (px - width / 2) / view.scale;
  view.y = at.y + (py - height / 2) / view.scale;
  draw();
}
function move(dx, dy) {
  view.x -= dx / view.scale;
  view.y += dy / view.scale;
  draw();
}
function resize() {
  const first = !width, ratio = Math.min(1.5, devicePixelRatio || 1);
  [width, height] = [canvas.clientWidth, canvas.clientHeight];
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (first) fit(); else draw();
}
function listen() {
  const touches = new Map();
  let spread = 0;
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); if (lasso.getAttribute("aria-pressed") === "true") { drawing = [[event.offsetX, event.offsetY]]; return; } touches.set(event.pointerId, [event.offsetX, event.offsetY]); spread = 0; });
  canvas.addEventListener("pointermove", (event) => {
    if (drawing) { drawing.push([event.offsetX, event.offsetY]); draw(); return; }
    const before = touches.get(event.pointerId);
    if (!before) return;
    touches.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (touches.size !== 2) { move(event.offsetX - before[0], event.offsetY - before[1]); return; }
    const [a, b] = [...touches.values()], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (spread) zoom(now / spread, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
    spread = now;
  });
  for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => {
    touches.delete(event.pointerId);
    spread = 0;
    if (!drawing) return;
    const path = drawing.map(([px, py]) => place(px, py));
    drawing = null;
    press(false);
    choose(path.length > 2 ? within(path) : null);
  });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
  }, { passive: false });
  const steps = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
  canvas.addEventListener("keydown", (event) => {
    if (steps[event.key]) move(...steps[event.key]);
    else if (event.key === "+" || event.key === "=") zoom(1.5);
    else if (event.key === "-") zoom(1 / 1.5);
    else if (event.key === "0") { view = { ...whole }; draw(); }
    else return;
    event.preventDefault();
  });
  for (const button of section.querySelectorAll("[data-closer]")) button.addEventListener("click", () => {
    if (button.dataset.closer === "whole") { view = { ...whole }; draw(); } else zoom(button.dataset.closer === "in" ? 1.6 : 1 / 1.6);
  });
  lasso.addEventListener("click", () => press(lasso.getAttribute("aria-pressed") !== "true"));
  document.getElementById("cloud-view").addEventListener("click", () => choose(inView()));
  none.addEventListener("click", () => { choose(null); canvas.focus(); });
  dense.addEventListener("change", draw);
  document.addEventListener("themechange", () => { readColours(); draw(); });
}
open.addEventListener("click", async () => {
  open.disabled = true;
  told.textContent = "Placing every row …";
  told.classList.remove("wrong");
  try {
    await send("POST", `/api/runs/${section.dataset.run}/points`, {});
    read(await (await fetch(`/runs/${section.dataset.run}/points`)).arrayBuffer());
    open.hidden = true;
    told.textContent = `${n.toLocaleString("en")} rows. Drag to move; buttons, two fingers or Ctrl and the wheel to zoom.`;
    dense.checked = n > many;
    section.querySelector(".cloud-picture").hidden = false;
    readColours();
    listen();
    new ResizeObserver(resize).observe(canvas);
  } catch (error) {
    open.disabled = false;
    told.textContent = error.message;
    told.classList.add("wrong");
  }
});
