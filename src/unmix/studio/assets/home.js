// The first page: a file is dropped or chosen and sent, two runs are marked and compared.
import { act, clocks } from "./server.js";

const drop = document.getElementById("drop"), picker = document.getElementById("file");
const sent = document.getElementById("sent"), told = document.getElementById("told");

function say(words, wrong) {
  told.textContent = words;
  told.classList.toggle("wrong", Boolean(wrong));
}
// XMLHttpRequest, because fetch does not tell how much was sent.
function upload(file) {
  const request = new XMLHttpRequest();
  request.open("POST", "/api/tables?name=" + encodeURIComponent(file.name));
  request.setRequestHeader("accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", (event) => { sent.value = event.loaded / event.total; });
  request.addEventListener("load", () => {
    sent.hidden = true;
    if (request.status === 201) location.assign("/tables/" + request.response.table);
    else say((request.response && request.response.error) || "The file could not be taken.", true);
  });
  request.addEventListener("error", () => {
    sent.hidden = true;
    say("The file could not be sent: it is too large, or the studio was ended.", true);
  });
  sent.hidden = false;
  say("Copying " + file.name);
  request.send(file);
}

picker.addEventListener("change", () => { if (picker.files.length) upload(picker.files[0]); });
for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
for (const kind of ["dragleave", "drop"]) document.addEventListener(kind, () => drop.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer.files[0];
  if (file) upload(file);
  else say("That was no file. Drop a file, or choose one.", true);
});

const compare = document.getElementById("compare"), boxes = [...document.querySelectorAll("input[name=run]")];
function marked() {
  return boxes.filter((box) => box.checked);
}
function allow() {
  if (compare) compare.disabled = marked().length !== 2;
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
