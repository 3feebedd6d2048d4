// A run that goes on: the server tells every change, and the page follows until it is over.
import { act } from "./server.js";

const progress = document.getElementById("progress"), words = document.getElementById("words"), bar = document.getElementById("fraction");
const chip = progress.querySelector(".chip"), said = document.getElementById("said"), stages = [...progress.querySelectorAll("[data-stage]")];
const events = new EventSource(`/runs/${progress.dataset.run}/events`);
let stage = "";

function time(seconds) {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}
function sentence(state) {
  if (state.state === "queued") return state.before ? `after ${state.before} other run${state.before > 1 ? "s" : ""}` : "next";
  const left = state.left ? `, about ${time(state.left)} left` : "";
  const compiling = state.compiling ? ": compiling for the first use, which is kept" : "";
  const share = state.fraction === undefined ? "" : `, ${Math.round(100 * state.fraction)} %`;
  return `${state.words || "starting"}${compiling}${share}${left}`;
}
function show(state) {
  chip.textContent = state.state;
  chip.className = "chip state-" + state.state;
  words.textContent = sentence(state);
  if (state.fraction !== undefined) {
    document.title = `${Math.round(100 * state.fraction)} % · ${document.title.replace(/^\d+ % · /, "")}`;
    bar.value = state.fraction;
  }
  const at = stages.findIndex((one) => (state.words || "").startsWith(one.dataset.stage));
  stages.forEach((one, i) => {
    one.classList.toggle("over", at > i);
    one.classList.toggle("on", at === i);
    if (at === i) one.setAttribute("aria-current", "step"); else one.removeAttribute("aria-current");
  });
  if (state.words !== stage) { stage = state.words; said.textContent = stage || ""; }
}
events.addEventListener("message", (event) => {
  const state = JSON.parse(event.data);
  if (state.state === "queued" || state.state === "running") { show(state); return; }
  events.close();
  location.reload();
});
// The server was ended: say so, and go on when it is back.
events.addEventListener("error", () => {
  words.textContent = "The studio does not answer. If it was ended, start it again: what was finished is kept.";
});
act();
