// A file is sent; how much of it is there is shown, and what the server refuses is said.
const sent = document.getElementById("sent"), told = document.getElementById("told");

export function say(words, wrong) {
  told.textContent = words;
  told.classList.toggle("wrong", Boolean(wrong));
}
// XMLHttpRequest, because fetch does not tell how much was sent.
export function upload(file, then) {
  const most = Number(sent.dataset.most); // known before a gigabyte is sent for nothing
  if (file.size > most) {
    say(`${file.name} is too large for the studio: at most ${Number((most / 1e9).toPrecision(3))} GB. Use unmix explore on it instead.`, true);
    return;
  }
  const request = new XMLHttpRequest();
  request.open("POST", "/api/tables?name=" + encodeURIComponent(file.name));
  request.setRequestHeader("accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", (event) => { sent.value = event.loaded / event.total; });
  request.addEventListener("load", () => {
    sent.hidden = true;
    if (request.status === 201) then(request.response.table);
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
