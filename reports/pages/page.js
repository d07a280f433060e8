"use strict";
(() => {
  const colours = 6;
  const colour = (n) => getComputedStyle(document.documentElement).getPropertyValue("--c" + (n % colours)).trim();
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (v) => {
    if (v === null || v === undefined || Number.isNaN(v)) return "";
    const size = Math.abs(v);
    if (size !== 0 && (size < 0.001 || size >= 1e7)) return v.toExponential(2);
    if (size >= 100) return Math.round(v).toLocaleString("en");
    return String(Number(v.toPrecision(3)));
  };
  const bytes = (v) => {
    for (const [shift, unit] of [[30, "G"], [20, "M"], [10, "K"]]) {
      if (v >= 2 ** shift) return Number((v / 2 ** shift).toPrecision(3)) + unit;
    }
    return String(Math.round(v));
  };

  // The library sets the labels of an axis as HTML, and names come from reports.
  const escaped = (text) => {
    const one = document.createElement("span");
    one.textContent = text;
    return one.innerHTML;
  };

  function draw(figure) {
    const chart = JSON.parse(figure.querySelector("script").textContent);
    if (chart.rows.length === 0) return;
    const back = (x) => chart.doubling ? 2 ** x : x;
    const word = (x) => chart.axis === "bytes" ? bytes(back(x))
      : chart.axis === "names" ? chart.names[Math.round(x)] || "" : number(back(x));
    const rows = chart.rows.map((row) => [chart.doubling ? Math.log2(row[0]) : row[0], ...row.slice(1)]);
    const live = document.createElement("div");
    live.className = "live";
    live.innerHTML = '<div class="tools"><span class="unit"></span><span class="hint"></span></div>' +
      '<div class="canvas"></div><div class="names"></div>';
    figure.append(live);
    figure.classList.add("lives");
    const tools = live.querySelector(".tools");
    live.querySelector(".unit").textContent = chart.unit + (chart.x ? "  by " + chart.x : "");
    live.querySelector(".hint").textContent = matchMedia("(pointer: coarse)").matches ? "tap for figures" : "drag to zoom";
    const button = (text, action) => {
      const one = document.createElement("button");
      one.type = "button";
      one.textContent = text;
      one.addEventListener("click", action);
      tools.append(one);
      return one;
    };

    // Powers of two, or names where they stand; figures get the library's own places.
    const own = chart.doubling || chart.axis === "names";
    const ticker = (from, to, pixels) => {
      const most = Math.max(2, Math.floor(pixels / 62));
      const places = rows.map((row) => row[0]).filter((x) => x >= from - 1e-9 && x <= to + 1e-9);
      const each = Math.ceil(places.length / most);
      if (chart.axis === "names" && each > 1) return [];
      return places.filter((_, i) => i % each === 0).map((x) => ({v: x, label: escaped(word(x))}));
    };
    const series = {};
    const labels = [chart.x || "x"];
    chart.lines.forEach((line, i) => {
      const label = String(i);
      labels.push(label);
      const based = line.of !== undefined;
      series[label] = {
        color: colour(based ? line.of : i), strokeWidth: based ? 1.5 : chart.axis === "names" ? 0 : 2,
        strokePattern: based ? [5, 4] : null, drawPoints: !based && (chart.dots || chart.axis === "names"),
        pointSize: 2.5, highlightCircleSize: based ? 0 : 4,
      };
    });
    const names = live.querySelector(".names");
    const show = (row) => {
      names.textContent = "";
      const at = document.createElement("span");
      at.className = "at";
      at.textContent = row < 0 ? "" : chart.x + " " + word(rows[row][0]);
      if (row >= 0) names.append(at);
      const baseline = {};
      chart.lines.forEach((line, i) => { if (line.of !== undefined) baseline[line.of] = i; });
      chart.lines.forEach((line, i) => {
        if (line.of !== undefined) return;
        const value = row < 0 ? null : rows[row][i + 1];
        if (row >= 0 && (value === null || value === undefined)) return;
        const one = document.createElement("span");
        const chip = document.createElement("i");
        chip.style.background = colour(i);
        const text = document.createElement("b");
        text.textContent = row < 0 ? "" : " " + number(value);
        const of = row >= 0 && i in baseline ? rows[row][baseline[i] + 1] : null;
        one.append(chip, line.name, text, of ? " (baseline " + number(of) + ")" : "");
        names.append(one);
      });
      if (row < 0 && Object.keys(baseline).length > 0) names.append("dashed: baseline");
    };
    const first = rows[0][0], last = rows[rows.length - 1][0];
    const room = Math.max((last - first) * 0.02, chart.doubling ? 0.3 : 1e-9);
    // A finger scrolls the page; the mouse zooms.
    const mouse = Object.assign({}, Dygraph.defaultInteractionModel);
    for (const touch of ["touchstart", "touchmove", "touchend"]) delete mouse[touch];
    let zoomed = false;
    const graph = new Dygraph(live.querySelector(".canvas"), rows, {
      labels, series, legend: "never", logscale: chart.logy, includeZero: !chart.logy, connectSeparatedPoints: true,
      dateWindow: [first - room, last + room], gridLineColor: style("--line"), axisLineColor: style("--line"),
      interactionModel: mouse, xRangePad: 4, yRangePad: 12, animatedZooms: false, labelsKMB: false,
      axes: {
        x: Object.assign({axisLabelFormatter: (x) => escaped(word(x)), valueFormatter: word, drawGrid: false, pixelsPerLabel: 45}, own ? {ticker} : {}),
        y: {axisLabelFormatter: number, valueFormatter: number, axisLabelWidth: 46},
      },
      highlightCallback: (_, x, points) => show(points.length ? points[0].idx : -1),
      unhighlightCallback: () => show(-1),
      underlayCallback: (canvas, area, g) => {
        canvas.save();
        canvas.strokeStyle = canvas.fillStyle = style("--fail");
        canvas.font = "12px system-ui, sans-serif";
        canvas.textAlign = "center";
        for (const [x, text] of chart.marks) {
          const at = g.toDomXCoord(chart.doubling ? Math.log2(x) : x);
          if (at < area.x || at > area.x + area.w) continue;
          canvas.setLineDash([5, 4]);
          canvas.beginPath();
          canvas.moveTo(at, area.y + 16);
          canvas.lineTo(at, area.y + area.h);
          canvas.stroke();
          canvas.fillText(text, Math.min(Math.max(at, area.x + 30), area.x + area.w - 30), area.y + 12);
        }
        canvas.restore();
      },
      zoomCallback: () => zoom(),
    });
    const whole = button("whole range", () => {
      graph.updateOptions({dateWindow: [first - room, last + room], valueRange: null});
      zoom();
    });
    const zoom = () => {
      const [from, to] = graph.xAxisRange();
      zoomed = to - from < (last - first + 2 * room) * 0.999 || graph.isZoomed("y");
      whole.hidden = !zoomed;
      live.dataset.zoomed = zoomed;
    };
    zoom();
    const positive = chart.rows.some((row) => row.slice(1).some((v) => v > 0));
    let log = chart.logy;
    if (positive && chart.axis !== "names") {
      const kind = button(log ? "linear" : "logarithmic", () => {
        log = !log;
        graph.updateOptions({logscale: log, includeZero: !log});
        kind.textContent = log ? "linear" : "logarithmic";
        live.dataset.log = log;
      });
    }
    live.dataset.log = log;
    show(-1);
    figure.chart = graph;
  }

  // A chart is drawn when it comes near, so that a page of hundreds opens at once.
  const near = new IntersectionObserver((seen) => {
    for (const one of seen) {
      if (!one.isIntersecting) continue;
      near.unobserve(one.target);
      draw(one.target);
    }
  }, {rootMargin: "300px"});
  const figures = document.querySelectorAll("figure.plot");
  figures.forEach((figure) => near.observe(figure));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const figure of figures) {
      if (!figure.chart) continue;
      figure.chart.destroy();
      delete figure.chart;
      figure.querySelector(".live").remove();
      draw(figure);
    }
  });
})();
