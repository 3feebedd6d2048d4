// Lists that can be searched and sorted; names become text, never markup.
"use strict";
(function () {
  const numbers = JSON.parse(document.getElementById("findings").textContent);
  const most = 300;

  const table = document.querySelector("table.exceptions");
  if (table) {
    const keys = ["user", "permission", "kind", "probability", "risk", "reason"];
    const all = numbers.exceptions.map((entry) => ({ ...entry, kind: numbers.words[entry.kind] }));
    for (const entry of all) entry.search = [entry.user, entry.permission, entry.kind, entry.reason].join("\n").toLowerCase();
    const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    const field = document.getElementById("find-exception");
    const said = field.parentElement.querySelector(".found");
    const rest = document.querySelector(".rest");
    const percent = (p) => p >= 0.995 && p < 1 ? "> 99 %" : p > 0 && p < 0.001 ? "< 0.1 %" : (p < 0.1 ? Math.round(1000 * p) / 10 : Math.round(100 * p)) + " %";
    const order = new Intl.Collator("en", { numeric: true });
    let sorted = null, down = false;

    function list() {
      const asked = field.value.trim().toLowerCase();
      const found = asked ? all.filter((entry) => entry.search.includes(asked)) : [...all];
      if (sorted !== null) {
        const key = keys[sorted], sign = down ? -1 : 1;
        found.sort((a, b) => sign * (typeof a[key] === "number" ? a[key] - b[key] : order.compare(a[key], b[key])));
      }
      body.replaceChildren(...found.slice(0, most).map(line));
      said.textContent = asked ? found.length + " of " + all.length : "";
      rest.textContent = found.length > most ? (found.length - most) + " more; search to narrow them down." : "";
    }
    function line(entry) {
      const row = document.createElement("tr");
      keys.forEach((key, k) => {
        const cell = document.createElement(k ? "td" : "th");
        if (!k) cell.scope = "row";
        const value = entry[key];
        cell.textContent = key === "probability" ? percent(value) : key === "risk" ? String(Number(value.toPrecision(2))) : value;
        row.append(cell);
      });
      return row;
    }
    heads.forEach((head, k) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        down = sorted === k ? !down : k === 3 || k === 4;
        sorted = k;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        list();
      });
    });
    field.parentElement.hidden = false;
    field.addEventListener("input", list);
    list();
  }

  const field = document.getElementById("find-role");
  const cards = [...document.querySelectorAll(".roles .card")];
  if (field && cards.length > 6) {
    const texts = cards.map((card) => card.textContent.toLowerCase());
    const said = field.parentElement.querySelector(".found");
    field.parentElement.hidden = false;
    field.addEventListener("input", () => {
      const asked = field.value.trim().toLowerCase();
      let shown = 0;
      cards.forEach((card, k) => {
        card.hidden = !texts[k].includes(asked);
        shown += !card.hidden;
      });
      said.textContent = asked ? shown + " of " + cards.length : "";
    });
  }
})();
