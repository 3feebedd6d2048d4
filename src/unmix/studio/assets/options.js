// Settings of roles and signals: every control writes into the address, and what the server says takes its place.
import { clocks, send, wrongField } from "./server.js";
import { upload } from "./upload.js";

const start = document.getElementById("start"), said = document.getElementById("said"), ready = document.getElementById("ready");
let asked = 0;

function query() {
  const found = new URLSearchParams();
  for (const box of document.querySelectorAll("[data-more]")) if (box.checked) found.append("more", box.dataset.more);
  for (const one of document.querySelectorAll("[data-option]")) {
    const value = one.type === "checkbox" ? (one.checked ? one.value : "") : one.value.trim();
    if (value) found.append(one.dataset.option, value);
  }
  for (const line of document.querySelectorAll(".pair")) {
    const pair = [...line.querySelectorAll("input")].map((box) => box.value.trim());
    if (pair.every(Boolean)) for (const one of pair) found.append("forbid", one);
  }
  return found.toString();
}
function replace(fresh, id) {
  const now = document.getElementById(id), next = fresh.getElementById(id);
  if (now && next) now.replaceWith(document.adoptNode(next));
}
async function redraw(changed) {
  const turn = ++asked, wrong = wrongField();
  if (wrong) {
    start.disabled = true;
    document.body.removeAttribute("aria-busy");
    document.getElementById("ready").textContent = said.textContent = wrong;
    return;
  }
  const settings = query();
  history.replaceState(null, "", settings ? "?" + settings : location.pathname);
  start.disabled = true;
  document.body.setAttribute("aria-busy", "true");
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (turn !== asked) return;
  document.body.removeAttribute("aria-busy");
  const fresh = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh || !fresh.getElementById("start")) {
    document.getElementById("ready").textContent = fresh ? fresh.querySelector("main p").textContent : "The studio does not answer. Was it ended in the terminal?";
    return;
  }
  for (const id of ["notices", "preview", "ready"]) replace(fresh, id);
  if (changed.closest(".pair") && document.querySelectorAll(".pair").length !== fresh.querySelectorAll(".pair").length) replace(fresh, "separation");
  const lines = fresh.querySelectorAll("#reproduce code");
  document.querySelectorAll("#reproduce code").forEach((code, i) => { code.replaceChildren(...lines[i].childNodes); });
  document.querySelector("[data-notebook]").href = fresh.querySelector("[data-notebook]").getAttribute("href");
  start.disabled = fresh.getElementById("start").disabled;
  said.textContent = document.getElementById("ready").textContent;
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-option], [data-more], .pair input")) redraw(event.target);
});
start.addEventListener("click", async () => {
  start.disabled = true;
  try {
    const { run } = await send("POST", "/api/runs", { table: start.dataset.table, kind: start.dataset.kind, query: query() });
    location.assign("/runs/" + run);
  } catch (error) {
    start.disabled = false;
    document.getElementById("ready").textContent = error.message;
  }
});
const bring = document.getElementById("bring");
if (bring) bring.addEventListener("change", () => { if (bring.files.length) upload(bring.files[0], () => location.reload()); });
document.body.classList.add("docked");
clocks();
