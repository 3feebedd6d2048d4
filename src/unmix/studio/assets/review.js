// Roles under review: a step is thought of, its cost is shown, and it is taken or left.
import { act, clocks, send } from "./server.js";

const run = document.getElementById("review").dataset.run, who = document.getElementById("who"), told = document.getElementById("told");
const step = document.getElementById("step"), marked = document.getElementById("marked"), merge = document.getElementById("merge");
const hint = document.getElementById("hint"), note = document.getElementById("note"), moves = document.getElementById("moves");
const own = "unmix-studio-reviewer";
let thought = null;

function say(words) {
  told.textContent = words;
}
// A name that was typed once is kept in this browser; where that is not allowed, it is asked for again.
function remember(name) {
  try { if (name === undefined) return localStorage.getItem(own); localStorage.setItem(own, name); } catch { /* asked again */ }
  return null;
}
async function take(wanted, why) {
  await send("POST", `/api/runs/${run}/steps`, { step: wanted, who: who.value, note: why || "" });
  location.reload();
}
async function attempt(work) {
  say("");
  try { await work(); } catch (error) { say(error.message); }
}
// What a step would cost, before it is taken.
async function think(wanted, words) {
  const cost = await send("POST", `/api/runs/${run}/what-if`, { step: wanted });
  thought = wanted;
  document.getElementById("step-is").textContent = words;
  document.getElementById("step-costs").textContent = cost.sentence;
  const lines = [...cost.first_gained.map((pair) => ["gains", pair]), ...cost.first_lost.map((pair) => ["loses", pair])];
  document.getElementById("step-moves").replaceChildren(...lines.map(([word, [user, permission]]) =>
    Object.assign(document.createElement("li"), { textContent: `${user} ${word} ${permission}` })));
  moves.hidden = !lines.length;
  moves.open = false;
  step.hidden = false;
  marked.hidden = true;
  document.getElementById("do").focus();
}
function leave() {
  thought = null;
  step.hidden = true;
  marked.hidden = false;
}
function chosen() {
  return [...document.querySelectorAll("[name=role]:checked")].map((box) => box.closest("[data-key]"));
}
function count() {
  const cards = chosen();
  merge.disabled = cards.length < 2;
  hint.textContent = cards.length ? `${cards.length} role${cards.length > 1 ? "s" : ""} marked` : "Mark two roles to merge them.";
}
function wantedOf(button, card) {
  const role = card.dataset.key, field = (name) => button.parentElement.querySelector(`[name=${name}]`);
  switch (button.dataset.do) {
    case "rename": return { do: "rename", role, name: field("name").value };
    case "split": return { do: "split", role, name: field("part").value, permissions: [...card.querySelectorAll("[name=permission]:checked")].map((box) => box.value) };
    case "reject": return { do: "reject", role, keep: button.dataset.keep === "yes" };
    default: return { do: button.dataset.do, role };
  }
}
const words = {
  split: (name) => `Split ${name}.`,
  reject: (name, wanted) => `Reject ${name}${wanted.keep ? ", keep its grants." : " with its grants."}`,
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (!button) return;
  attempt(async () => {
    const { do: kind, status, user, permission, kind: of } = button.dataset;
    if (kind === "decide") return take({ do: kind, user, permission, kind: of, status });
    const card = button.closest("[data-key]"), wanted = wantedOf(button, card);
    return words[kind] ? think(wanted, words[kind](card.dataset.name, wanted)) : take(wanted);
  });
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-why]");
  if (!button) return;
  attempt(async () => {
    const asked = new URLSearchParams({ user: button.dataset.user, permission: button.dataset.permission });
    const { lines } = await send("GET", `/runs/${run}/why?${asked}`);
    button.replaceWith(...lines.map((line) => Object.assign(document.createElement("span"), { className: "reason", textContent: line })));
  });
});
document.addEventListener("change", (event) => { if (event.target.name === "role") count(); });
merge.addEventListener("click", () => attempt(() => {
  const cards = chosen();
  return think({ do: "merge", roles: cards.map((card) => card.dataset.key) }, `Merge ${cards.map((card) => card.dataset.name).join(" and ")}.`);
}));
document.getElementById("do").addEventListener("click", () => attempt(() => take(thought, note.value)));
document.getElementById("leave").addEventListener("click", leave);
document.getElementById("undo").addEventListener("click", () => attempt(async () => {
  await send("POST", `/api/runs/${run}/undo`, {});
  location.reload();
}));
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && thought) leave(); });
who.value = remember() || who.value;
who.addEventListener("change", () => remember(who.value));
addEventListener("pageshow", count);
document.body.classList.add("docked");
act();
clocks();
count();
