// The temperature: as it falls, groups split along the annealing path. The server follows the path once; the page cuts it.
import { send } from "./server.js";

const section = document.getElementById("temperature"), slider = document.getElementById("kelvin"), out = document.getElementById("kelvin-is");
const compute = document.getElementById("follow"), ticks = document.getElementById("splits"), highest = 1.3;
let path = null, lowest = 0.1;

// Equal steps of the slider are equal factors of the temperature.
function temperature() {
  return highest * (lowest / highest) ** (slider.value / slider.max);
}
function place(warm) {
  return Math.round(slider.max * Math.log(warm / highest) / Math.log(lowest / highest));
}
function cutAt(warm) {
  return path.findLast((cut) => cut.temperature === null || warm <= cut.temperature);
}
function show() {
  const warm = temperature(), cut = cutAt(warm), groups = cut.k === 1 ? "one group" : `${cut.k} groups`;
  const words = `T = ${paint.number(warm, 2)}: ${groups}`;
  out.textContent = words;
  slider.setAttribute("aria-valuetext", words);
  const said = `${groups[0].toUpperCase()}${groups.slice(1)} at T = ${paint.number(warm, 2)} of the first split, by soft K-means of the rows on the map. Choose a number below to come back.`;
  choice.set({ cut: { ...cut, words: said, at: Number(slider.value) }, k: cut.k, cluster: null });
}
async function follow(at) {
  compute.disabled = true;
  out.textContent = "following the path";
  try {
    path = (await send("GET", `/runs/${section.dataset.run}/path`)).path;
    lowest = 0.8 * (path.at(-1).temperature || 0.5);
    ticks.replaceChildren(...path.slice(1).map((cut) => paint.make("option", { value: place(cut.temperature) })));
    slider.disabled = false;
    compute.hidden = true;
    slider.value = at;
    show();
    slider.focus({ preventScroll: true });
  } catch (error) {
    compute.disabled = false;
    out.textContent = error.message;
  }
}

if (choice.points) {
  slider.addEventListener("input", show);
  // The splits are seen where the map shows groups; a column can be chosen again while it cools.
  compute.addEventListener("click", () => { choice.set({ column: -1 }); follow(0); });
  choice.follow((changes) => { if (path && !choice.now.cut && "k" in changes) out.textContent = "pull to cool"; });
  const given = new URLSearchParams(location.search).get("cooled");
  if (given !== null && /^\d{1,3}$/.test(given)) follow(Number(given));
} else section.hidden = true;
