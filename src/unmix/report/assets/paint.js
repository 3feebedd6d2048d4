// How things are made and drawn: elements, marks, colours, numbers, files. Text is always text, never markup.
const paint = (function () {
  const drawn = new Set(["svg", "g", "path", "rect", "line", "circle", "text", "use", "title"]);
  const paths = [...document.querySelectorAll(".symbols path")].map((path) => path.getAttribute("d"));

  function make(name, attributes, ...children) {
    const made = drawn.has(name) ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
  }
  // The same rules as marks.py.
  function shapeOf(colour) {
    return colour < 0 ? 0 : (colour + Math.floor(colour / 12)) % paths.length;
  }
  function colourClass(colour) {
    return colour < 0 ? "cx" : "c" + (colour % 12);
  }
  function mark(colour) {
    return make("svg", { class: "mark " + colourClass(colour), width: 14, height: 14, "aria-hidden": "true" }, make("use", { href: "#mark" + shapeOf(colour) }));
  }
  function computed(name) {
    const probe = make("i", { class: name, hidden: true });
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }
  function percent(share) {
    const value = 100 * share;
    if (value > 0 && value < 0.1) return "< 0.1\u00a0%";
    if (value >= 99.5 && value < 100) return "> 99\u00a0%";
    return (value < 10 ? Number(value.toFixed(1)) : Math.round(value)) + "\u00a0%";
  }
  function number(value, digits = 4) {
    return value.toLocaleString("en", { maximumSignificantDigits: digits }).replace("-", "\u2212");
  }
  function cell(value) {
    if (value === null || value === undefined) return "–";
    if (typeof value === "boolean") return value ? "yes" : "no";
    return typeof value === "number" ? String(Number(value.toPrecision(7))).replace("-", "\u2212") : String(value);
  }
  function clip(text, longest) {
    return text.length > longest ? text.slice(0, longest - 1) + "…" : text;
  }
  function save(name, content, type) {
    const blob = content instanceof Blob ? content : new Blob([content], { type });
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  function csv(lines) {
    // Text that a spreadsheet would run as a formula gets an apostrophe, as in the files unmix writes.
    const guarded = (text) => (/^'*[=+\-@\t\r\n＝＋－＠]/.test(text) && Number.isNaN(Number(text)) ? "'" + text : text);
    const quoted = (value) => {
      const text = value === null || value === undefined ? "" : guarded(String(value));
      return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
    };
    return lines.map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
  }
  return { make, paths, shapeOf, colourClass, mark, computed, percent, number, cell, clip, save, csv };
})();
