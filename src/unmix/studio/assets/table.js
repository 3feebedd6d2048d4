// The settings of a table: every control writes into the address, and what the server says to it takes its place.
import { clocks, send, wrongField } from "./server.js";

const single = ["target", "id", "group", "order"], plain = ["k", "max_k", "sample", "seed", "categories", "as_"];
const start = document.getElementById("start"), said = document.getElementById("said");
let asked = 0;

function query() {
  const found = new URLSearchParams();
  for (const role of document.querySelectorAll("[data-role]")) if (role.value) found.append(role.value, role.dataset.role);
  for (const type of document.querySelectorAll("[data-type]")) if (type.value) found.append("type", `${type.dataset.type}=${type.value}`);
  for (const name of plain) {
    const value = document.getElementById(name).value.trim();
    if (value && value !== "auto") found.append(name, value);
  }
  return found.toString();
}
// Only one column can be the target, the names, the unit or the order.
function leaveOthers(changed) {
  if (!single.includes(changed.value)) return;
  for (const role of document.querySelectorAll("[data-role]")) if (role !== changed && role.value === changed.value) role.value = "";
}
function replace(fresh, id) {
  const now = document.getElementById(id), next = fresh.getElementById(id);
  if (now && next) now.replaceWith(document.adoptNode(next));
}
async function redraw() {
  const turn = ++asked, wrong = wrongField();
  if (wrong) {
    start.disabled = true;
    document.getElementById("columns").removeAttribute("aria-busy");
    document.getElementById("ready").textContent = said.textContent = wrong;
    return;
  }
  const settings = query(), columns = document.getElementById("columns");
  history.replaceState(null, "", settings ? "?" + settings : location.pathname);
  columns.setAttribute("aria-busy", "true");
  start.disabled = true;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (turn !== asked) return;
  const fresh = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh || !fresh.getElementById("columns")) {
    columns.removeAttribute("aria-busy");
    document.getElementById("ready").textContent = fresh ? fresh.querySelector("main p").textContent : "The studio does not answer. Was it ended in the terminal?";
    return;
  }
  const focused = document.activeElement && document.activeElement.id, { scrollLeft, scrollTop } = document.querySelector("#columns .scroll");
  for (const id of ["notices", "columns", "ready"]) replace(fresh, id);
  Object.assign(document.querySelector("#columns .scroll"), { scrollLeft, scrollTop });
  const lines = fresh.querySelectorAll("#reproduce code");
  document.querySelectorAll("#reproduce code").forEach((code, i) => { code.replaceChildren(...lines[i].childNodes); });
  document.querySelector("[data-notebook]").href = fresh.querySelector("[data-notebook]").getAttribute("href");
  start.disabled = fresh.getElementById("start").disabled;
  if (focused && document.getElementById(focused)) document.getElementById(focused).focus();
  said.textContent = document.getElementById("ready").textContent;
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-role]")) leaveOthers(event.target);
  if (event.target.matches("[data-role], [data-type], #question input, #question select")) redraw();
});
start.addEventListener("click", async () => {
  start.disabled = true;
  try {
    const { run } = await send("POST", "/api/runs", { table: start.dataset.table, query: query() });
    location.assign("/runs/" + run);
  } catch (error) {
    start.disabled = false;
    document.getElementById("ready").textContent = error.message;
  }
});
document.body.classList.add("docked");
clocks();
