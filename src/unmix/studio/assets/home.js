// The first page: a file is dropped or chosen and sent, two runs are marked and compared.
import { act, clocks } from "./server.js";
import { say, upload } from "./upload.js";

const drop = document.getElementById("drop"), picker = document.getElementById("file");

function open(file) {
  upload(file, (table) => location.assign("/tables/" + table + (/\.wave?$/i.test(file.name) ? "/signals" : "")));
}

picker.addEventListener("change", () => { if (picker.files.length) open(picker.files[0]); });
for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
for (const kind of ["dragleave", "drop"]) document.addEventListener(kind, () => drop.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer.files[0];
  if (file) open(file);
  else say("That was no file. Drop a file, or choose one.", true);
});

const compare = document.getElementById("compare"), boxes = [...document.querySelectorAll("input[name=run]")];
function marked() {
  return boxes.filter((box) => box.checked);
}
function allow() {
  const [now, before] = marked();
  if (compare) compare.disabled = marked().length !== 2 || now.dataset.kind !== before.dataset.kind;
}
for (const box of boxes) box.addEventListener("change", allow);
addEventListener("pageshow", allow); // boxes may be marked already: before this script came, or on an earlier visit
// The list begins with the newest: the other one is what it is compared with.
if (compare) compare.addEventListener("click", () => {
  const [now, before] = marked();
  location.assign(`/compare?old=${before.value}&new=${now.value}`);
});
allow();
act();
clocks();
