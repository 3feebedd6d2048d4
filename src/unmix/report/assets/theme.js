// Light or dark: the reader's choice where there is one, else the system's. Runs in the head, before anything is drawn.
"use strict";
(function () {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const place = "unmix-theme";

  // A file opened from disk may have no storage; then the choice lasts as long as the page.
  function remembered() {
    try { return localStorage.getItem(place); } catch { return null; }
  }
  function remember(theme) {
    try { localStorage.setItem(place, theme); } catch { /* nothing to do */ }
  }
  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  }
  function announce() {
    const button = document.querySelector(".theme");
    if (button) button.setAttribute("aria-pressed", String(isDark()));
    document.dispatchEvent(new Event("themechange"));
  }

  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  system.addEventListener("change", announce);

  document.addEventListener("DOMContentLoaded", function () {
    const button = document.querySelector(".theme");
    button.hidden = false;
    button.addEventListener("click", function () {
      root.dataset.theme = isDark() ? "light" : "dark";
      remember(root.dataset.theme);
      announce();
    });
    announce();
  });

  // Paper is white: print in light colours, then go back.
  let before;
  addEventListener("beforeprint", function () {
    before = root.dataset.theme;
    root.dataset.theme = "light";
    document.dispatchEvent(new Event("themechange"));
  });
  addEventListener("afterprint", function () {
    if (before) root.dataset.theme = before; else delete root.dataset.theme;
    document.dispatchEvent(new Event("themechange"));
  });
})();
