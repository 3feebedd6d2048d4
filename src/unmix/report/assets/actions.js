// Copy the command, save the numbers: conveniences that need a script, hidden where there is none.
"use strict";
(function () {
  const actions = {
    async copy(button) {
      const code = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        said(button, "Copied");
      } catch {
        getSelection().selectAllChildren(code);
        said(button, "Selected");
      }
    },
    save(button) {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([document.getElementById("findings").textContent], { type: "application/json" }));
      link.download = "findings.json";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      said(button, "Saved");
    },
  };
  function said(button, word) {
    const before = button.dataset.title || button.textContent;
    button.dataset.title = before;
    button.textContent = word;
    setTimeout(() => { button.textContent = before; }, 1600);
  }
  for (const button of document.querySelectorAll("[data-action]")) {
    button.hidden = false;
    button.addEventListener("click", () => actions[button.dataset.action](button));
  }
})();
