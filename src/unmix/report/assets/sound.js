// Sound: one signal plays at a time, a line runs along its picture, a click into the picture plays from there.
"use strict";
(function () {
  const players = [...document.querySelectorAll("audio")];
  for (const audio of players) {
    const picture = audio.parentElement.querySelector(".trace");
    const line = picture.querySelector(".playhead");
    const width = picture.viewBox.baseVal.width;
    const seconds = Number(audio.dataset.seconds); // of the picture; the sound may be shortened
    let waiting = 0;

    function draw() {
      const at = width * Math.min(1, audio.currentTime / seconds);
      line.setAttribute("x1", at);
      line.setAttribute("x2", at);
      line.setAttribute("visibility", audio.currentTime > 0 ? "visible" : "hidden");
      waiting = audio.paused ? 0 : requestAnimationFrame(draw);
    }
    audio.addEventListener("play", function () {
      for (const other of players) if (other !== audio) other.pause();
      if (!waiting) draw();
    });
    for (const event of ["pause", "seeked", "ended"]) audio.addEventListener(event, draw);
    picture.classList.add("playable");
    picture.addEventListener("click", function (event) {
      const box = picture.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width * seconds;
      if (at >= audio.duration) return;
      audio.currentTime = at;
      audio.play().catch(function () { /* the browser wants the reader to press play first */ });
    });
  }
})();
