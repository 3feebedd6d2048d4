// Sources are kept or dropped: the address says which, and the server mixes the channels of those that are kept.
import { act, clocks } from "./server.js";

const boxes = [...document.querySelectorAll("[name=keep]")];
let asked = 0;

function kept() {
  return boxes.filter((box) => box.checked).map((box) => box.value);
}
async function redraw() {
  const turn = ++asked, keep = kept(), section = document.getElementById("remix");
  const address = location.pathname + (keep.length === boxes.length ? "" : "?keep=" + keep.join("."));
  history.replaceState(null, "", address + location.hash);
  section.setAttribute("aria-busy", "true");
  const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
  if (turn !== asked) return;
  const fresh = answer && answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("remix");
  if (fresh) { section.replaceWith(document.adoptNode(fresh)); return; }
  section.removeAttribute("aria-busy");
  section.querySelector("[role=status]").textContent = "The studio does not answer. Was it ended in the terminal?";
}
// One sound at a time, also of those that came later.
document.addEventListener("play", (event) => {
  for (const audio of document.querySelectorAll("audio")) if (audio !== event.target) audio.pause();
}, true);
for (const box of boxes) box.addEventListener("change", redraw);
act();
clocks();
