// Every figure as SVG, PNG and CSV: made in the page from what it shows, sent nowhere.
(function () {
  const { findings, points, table, now } = choice;
  const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor"];

  // The numbers behind each figure, as they are in the findings: no rounding.
  const tables = {
    map() {
      const ids = table && table.ids;
      const head = ["row", ...(ids ? ["id"] : []), "x", "y", "cluster", "confidence"];
      return [head, ...points.row.map((row, i) => [row, ...(ids ? [ids[i]] : []), points.x[i], points.y[i], choice.labels()[i] < 0 ? null : choice.labels()[i],
        choice.isOwn() && points.confidence ? points.confidence[i] : null])];
    },
    sizes: () => [["cluster", "name", "size", "fraction"], ...choice.clusters().map((one) => [one.label, one.name, one.size, one.fraction])],
    spectrum: () => [["component", "explained", "by chance"], ...findings.spectrum.explained_variance_ratio.map((ratio, j) => [j + 1, ratio, findings.spectrum.reference[j]])],
    ledger: () => [["kind", "bits", "error", "saved", "saved error", "foretold", "size"], ...findings.ledger.kinds.map((one) => [one.kind, one.bits, one.error, one.saved, one.saved_error, one.foretold, one.size])],
    relations: () => [["first", "second", "bits", "error", "share", "p value", "sentence"],
      ...findings.associations.pairs.map((one) => [one.columns[0], one.columns[1], one.bits, one.error, one.share, one.p_value, one.sentence])],
    flows: () => [["K", "cluster", "name", "size", "probability"], ...findings.alternatives.flatMap((one) => one.names.map((name, label) => [one.k, label, name, one.sizes[label], one.probability]))],
    levels: () => [["path", "name", "size", "fraction", "probability", "sentence"], ...walked(findings.levels)],
    column: () => column.table(),
  };
  function walked(levels) {
    return levels.flatMap((one) => [[one.path, one.name, one.size, one.fraction, one.probability, one.sentence], ...walked(one.children || [])]);
  }
  function criterion(place) {
    const one = findings.selection.criteria[place];
    return [["K", one.name, "standard error"], ...findings.selection.k.map((k, i) => [k, one.values[i], (one.errors || [])[i]])];
  }
  function tableOf(name) {
    return name.startsWith("criterion-") ? criterion(Number(name.slice(10))) : tables[name]();
  }

  // A drawing that stands alone: what the page's style gives is written into it.
  function standalone(figure) {
    const source = figure.dataset.figure === "map" ? null : figure.querySelector("svg.chart, svg.sizes");
    if (!source && figure.dataset.figure !== "map") return null;
    const copy = source ? source.cloneNode(true) : map.picture();
    const box = source ? source.getBoundingClientRect() : null;
    const size = source && source.viewBox.baseVal && source.viewBox.baseVal.width ? source.viewBox.baseVal : null;
    const width = size ? size.width : box ? box.width : Number(copy.getAttribute("width")), height = size ? size.height : box ? box.height : Number(copy.getAttribute("height"));
    if (source) {
      const from = [source, ...source.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
      from.forEach((element, i) => {
        const style = getComputedStyle(element);
        for (const name of kept) if (style.getPropertyValue(name)) to[i].setAttribute(name, style.getPropertyValue(name));
        to[i].removeAttribute("class");
      });
    }
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    copy.prepend(paint.make("rect", { width, height, fill: paint.computed("read-surface") }));
    return { text: new XMLSerializer().serializeToString(copy), width, height };
  }
  async function png({ text, width, height }) {
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    await image.decode();
    const canvas = paint.make("canvas", { width: Math.round(3 * width), height: Math.round(3 * height) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }
  const kinds = {
    SVG: (figure, name) => paint.save(name + ".svg", standalone(figure).text, "image/svg+xml"),
    PNG: async (figure, name) => paint.save(name + ".png", await png(standalone(figure))),
    CSV: (figure, name) => paint.save(name + ".csv", paint.csv(tableOf(figure.dataset.figure)), "text/csv"),
  };
  function menu(figure) {
    const name = figure.dataset.figure;
    const title = (figure.querySelector("h3") || {}).textContent || name;
    const buttons = Object.entries(kinds).map(([kind, act]) => {
      const button = paint.make("button", { type: "button", "data-save": kind, "aria-label": `Save ${title} as ${kind}` }, kind);
      button.addEventListener("click", () => act(figure, name));
      return button;
    });
    figure.append(paint.make("div", { class: "save", role: "group", "aria-label": "Save " + title }, buttons));
  }
  for (const figure of document.querySelectorAll("figure[data-figure]")) menu(figure);
})();
