// Groups of one's own: what is chosen on the page becomes a group with a name and a note; marked ones are merged.
import { send } from "./server.js";
import { numbers, places } from "./state.js";

const form = document.getElementById("make-group"), told = document.getElementById("group-told"), keep = document.getElementById("keep");
const list = document.getElementById("group-list"), merge = document.getElementById("merge"), run = list.dataset.run;

let drawn = null; // rows chosen on the picture of every row, which the map may not show
// A whole cluster of the run's own number is asked for by its label: the server knows its rows beyond the map too.
function chosen() {
  const { now, points } = choice;
  if (drawn) return { rows: drawn };
  if (now.cluster !== null && now.cluster >= 0 && now.rows === null && choice.isOwn()) return { cluster: now.cluster };
  return { rows: choice.members().map((i) => points.row[i]) };
}
function size() {
  if (drawn) return drawn.length;
  const { now } = choice, one = choice.clusters().find((each) => each.label === now.cluster);
  return now.rows === null && choice.isOwn() && one ? one.size : choice.members().length;
}
function offer() {
  const { now } = choice, some = drawn || now.cluster !== null || now.rows !== null, n = size().toLocaleString("en");
  keep.textContent = some ? `Keep ${n} row${n === "1" ? "" : "s"}` : "Keep these rows";
  keep.disabled = !some;
  told.textContent = some ? "" : "Nothing is chosen yet.";
}
async function attempt(work, again) {
  told.classList.remove("wrong");
  try {
    await work();
    if (again) { location.hash = "groups"; location.reload(); }
  } catch (error) {
    told.textContent = error.message;
    told.classList.add("wrong");
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, note } = form.elements;
  attempt(() => send("POST", `/api/runs/${run}/groups`, { name: name.value, note: note.value, ...chosen() }), true);
});
list.addEventListener("change", (event) => {
  const { rename, note } = event.target.dataset;
  if (rename) attempt(() => send("PATCH", `/api/groups/${rename}`, { name: event.target.value }));
  if (note) attempt(() => send("PATCH", `/api/groups/${note}`, { note: event.target.value }));
  if (merge) merge.disabled = list.querySelectorAll("[name=group]:checked").length < 2;
});
list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-show]");
  if (!button) return;
  const shown = places(numbers(button.dataset.show));
  choice.set({ cluster: null, row: -1, rows: shown });
  document.getElementById("map").scrollIntoView();
  choice.tell(shown ? `${shown.size} rows of the group are on the map` : "None of its rows is on the map");
});
if (merge) merge.addEventListener("click", () => {
  const groups = [...list.querySelectorAll("[name=group]:checked")].map((box) => box.value);
  attempt(() => send("POST", `/api/runs/${run}/merge`, { groups }), true);
});
if (choice.points) {
  // A way to the form from wherever rows are chosen.
  const way = Object.assign(document.createElement("a"), { className: "tool", textContent: "Make a group", href: "#make-group", hidden: true });
  way.addEventListener("click", () => setTimeout(() => form.elements.name.focus({ preventScroll: true }), 0));
  document.querySelector(".dock .choice .open-rows").before(way);
  document.addEventListener("rowsdrawn", (event) => { drawn = event.detail.length ? event.detail : null; offer(); way.hidden = keep.disabled; });
  choice.follow(() => { drawn = null; offer(); way.hidden = keep.disabled; });
  offer();
  way.hidden = keep.disabled;
} else form.hidden = true;
