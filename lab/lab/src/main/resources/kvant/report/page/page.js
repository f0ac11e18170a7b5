"use strict";
(() => {
  const words = JSON.parse(document.getElementById("words").textContent);
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const tone = colour => css("--v" + colour % 8);
  // Colours come round after eight variants; a dash tells the second eight from the first.
  const dash = colour => colour >= 8 ? [8, 4] : [];
  const faded = (colour, alpha) => colour + Math.round(alpha * 255).toString(16).padStart(2, "0");
  const number = (value, digits = 3) => value == null ? "–" : new Intl.NumberFormat(words.language,
    Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: digits }).format(value);
  const millis = value => value == null ? "–" : number(value) + "\u00a0" + words.milliseconds;
  const element = (name, style, text) => {
    const made = document.createElement(name);
    if (style) made.className = style;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const font = "12px system-ui, sans-serif";
  const nines = x => {
    const percent = 100 * (1 - Math.pow(10, -x));
    const digits = Math.max(0, Math.ceil(x - 2 + 1e-9));
    return new Intl.NumberFormat(words.language, { maximumFractionDigits: Math.min(6, digits + 1) }).format(percent) + "\u00a0%";
  };
  const charts = [];

  /* One plot with a legend that shows the values at the cursor, by pointer and by arrow keys. */
  function plot(figure, { title, data, series, items, at, height, scales, axes, bands, hooks, sync, value }) {
    const head = element("p", "plot-title", title);
    const box = element("div", "plot");
    const legend = element("div", "legend");
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", title);
    legend.setAttribute("aria-live", "polite");
    figure.append(head, box, legend);
    const where = element("span", "at");
    const cells = items.map(item => {
      const button = element("button");
      const swatch = element("i", item.dashed ? "dashed" : "");
      swatch.style.borderColor = tone(item.colour);
      const text = element("span", "", item.name);
      button.type = "button";
      button.title = words.show;
      button.setAttribute("aria-pressed", "true");
      button.append(swatch, text);
      legend.append(button);
      return { button, text, item };
    });
    legend.append(where);
    const chart = new uPlot({
      width: Math.max(200, box.clientWidth), height, scales, axes, bands, series,
      legend: { show: false },
      cursor: { sync: sync ? { key: sync, setSeries: false } : undefined, drag: { x: false, y: false }, points: { size: 7 } },
      hooks: {
        ...hooks,
        setCursor: [self => {
          const i = self.cursor.idx;
          where.textContent = i == null ? "" : at(self.data[0][i], i);
          cells.forEach(({ text, item }) => {
            text.textContent = i == null ? item.name : item.name + ": " + value(item, i);
          });
        }],
      },
    }, data, box);
    cells.forEach(({ button, item }) => button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      item.series.forEach(i => chart.setSeries(i, { show: shown }));
    }));
    box.addEventListener("keydown", event => {
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const last = data[0].length - 1;
      const i = Math.min(last, Math.max(0, (chart.cursor.idx ?? (step > 0 ? -1 : last + 1)) + step));
      chart.setCursor({ left: chart.valToPos(data[0][i], "x"), top: chart.over.clientHeight / 2 });
    });
    const resize = new ResizeObserver(() => {
      if (box.clientWidth > 0 && box.clientWidth !== chart.width) chart.setSize({ width: box.clientWidth, height });
    });
    resize.observe(box);
    charts.push({ destroy: () => { resize.disconnect(); chart.destroy(); } });
    return chart;
  }

  const axis = more => ({ stroke: css("--soft"), font, grid: { stroke: css("--grid"), width: 1 }, ticks: { stroke: css("--grid"), width: 1, size: 4 }, ...more });
  // On a logarithmic axis only powers of ten have labels, unless that leaves hardly any.
  const logarithmic = { distr: 3, log: 10 };
  const powers = (self, splits) => {
    const tens = splits.map(v => v != null && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9);
    const few = tens.filter(Boolean).length < 3;
    return splits.map((v, i) => v != null && (tens[i] || few && /^[25]/.test(v.toExponential())) ? number(v) : "");
  };
  // Over many decades the lines between powers of ten are a carpet.
  const sparse = (self, splits) => self.scales.y.max / self.scales.y.min < 200 ? splits
    : splits.map(v => v != null && Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 ? v : null);
  const latencyAxis = () => axis({ size: 52, values: powers, filter: (self, splits) => splits,
    grid: { stroke: css("--grid"), width: 1, filter: sparse }, ticks: { stroke: css("--grid"), width: 1, size: 4, filter: sparse } });

  function latency(figure, given) {
    const data = [given.x[0]];
    const series = [{}];
    const bands = [];
    const items = given.series.map(one => {
      const colour = tone(one.colour);
      const own = [];
      const add = (values, style) => { data.push(values[0]); series.push(style); own.push(data.length - 1); return data.length - 1; };
      if (one.high) {
        const edge = { stroke: faded(colour, 0.25), width: 1, points: { show: false } };
        const high = add(one.high, edge);
        const low = add(one.low, edge);
        bands.push({ series: [high, low], fill: faded(colour, 0.13) });
      }
      const line = add(one.y, { stroke: colour, width: 2, dash: dash(one.colour), points: { show: false } });
      // Published figures are points: values between them were not published.
      if (one.published) {
        add(one.published, { stroke: colour, width: 0, paths: () => null, points: { show: true, size: 9, width: 2, stroke: colour, fill: css("--page") } });
      }
      return { name: one.name, colour: one.colour, dashed: one.colour >= 8, series: own, line, published: one.published, low: one.low, high: one.high };
    });
    const ticks = [Math.log10(2), 1, 2, 3, 4, 5, 6];
    // Its label stands on its line, at the left, where no curve is: latencies begin low.
    const objective = self => {
      if (!given.objective) return;
      const { ctx, bbox } = self;
      const y = self.valToPos(given.objective.millis, "y", true);
      const x = self.valToPos(given.objective.nines, "x", true);
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      ctx.strokeStyle = ctx.fillStyle = css("--objective");
      ctx.lineWidth = 1.5 * devicePixelRatio;
      ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.font = 12 * devicePixelRatio + "px system-ui, sans-serif";
      ctx.textAlign = "left";
      ctx.textBaseline = "alphabetic";
      const above = y - 6 * devicePixelRatio;
      const room = above - 12 * devicePixelRatio > bbox.top;
      ctx.fillText(given.objective.label, bbox.left + 6 * devicePixelRatio, room ? above : y + 16 * devicePixelRatio);
      ctx.restore();
    };
    const limits = (self, low, high) => {
      const top = given.objective ? Math.max(high, given.objective.millis * 1.6) : high;
      const bottom = given.objective ? Math.min(low, given.objective.millis * 0.8) : low;
      return [bottom / 1.3, top * 1.3];
    };
    plot(figure, {
      title: words.latency, data, series, bands, items, height: 340,
      scales: { x: { time: false }, y: { ...logarithmic, range: limits } },
      axes: [
        axis({ splits: self => ticks.filter(t => t <= self.scales.x.max + 1e-6), values: (self, v) => v.map(nines), size: 34 }),
        latencyAxis(),
      ],
      hooks: { draw: [objective] },
      at: nines,
      value: (item, i) => millis(data[item.line][i])
        + (item.low && item.low[0][i] != null ? " (" + number(item.low[0][i]) + "–" + number(item.high[0][i]) + ")" : "")
        + (item.published && item.published[0][i] != null ? ", " + words.published + " " + millis(item.published[0][i]) : ""),
    });
  }

  let times = 0;
  function time(figure, given) {
    const sync = "time" + times++;
    const x = given.x[0];
    const seconds = value => number(value) + "\u00a0" + words.seconds;
    const across = () => ({ time: false, range: [0, given.end] });
    const below = (self, values) => values.map(seconds);
    const draw = (title, height, lines, y, left, value) => {
      const data = [x];
      const series = [{}];
      const items = [];
      given.series.forEach(one => {
        const own = [];
        lines.filter(line => one[line.key]).forEach(line => {
          data.push(one[line.key][0]);
          series.push({ stroke: tone(one.colour), width: line.width, dash: line.dash ?? dash(one.colour), points: { show: x.length === 1 },
            fill: line.fill ? faded(tone(one.colour), line.fill) : undefined });
          own.push(data.length - 1);
        });
        if (own.length) items.push({ name: one.name, colour: one.colour, dashed: one.colour >= 8, series: own, given: one });
      });
      if (!items.length) return;
      plot(figure, {
        title, data, series, items, height, sync, scales: { x: across(), y },
        axes: [axis({ values: below, size: 30, space: 60 }), left], at: seconds, value: (item, i) => value(item.given, i),
      });
    };
    const spread = (self, low, high) => [low / 1.3, high * 1.3];
    const fromZero = { range: (self, low, high) => [0, high > 0 ? high * 1.15 : 1] };
    const plain = () => axis({ size: 52, values: (self, v) => v.map(one => number(one)) });
    draw(words.p50p99, 220, [{ key: "p50", width: 1, dash: [2, 3] }, { key: "p99", width: 1.75 }], { ...logarithmic, range: spread },
      latencyAxis(), (one, i) => "p50 " + millis(one.p50[0][i]) + ", p99 " + millis(one.p99[0][i]));
    // Right below the latencies: a peak that is in both was the host's.
    draw(words.stolen, 90, [{ key: "stolen", width: 1.75, fill: 0.2 }], fromZero, plain(),
      (one, i) => one.stolen[0][i] == null ? "–" : number(one.stolen[0][i]) + "\u00a0%");
    draw(words.rate, 150, [{ key: "rate", width: 1.75 }, { key: "errors", width: 1.5, dash: [3, 3] }], fromZero, plain(),
      (one, i) => number(one.rate[0][i]) + (one.errors ? ", " + words.errors + " " + number(one.errors[0][i]) : ""));
    draw(words.cpu, 120, [{ key: "cpu", width: 1.75 }], fromZero, plain(),
      (one, i) => number(one.cpu[0][i]) + ", " + words.rss + " " + number(one.rss[0][i]));
    if (given.lanes.length) events(figure, given, x, sync, across, below, seconds);
    figure.append(element("p", "hint", words.hint));
  }

  // A title that is too long for a phone ends early, so that what stands after it is seen.
  const cut = (ctx, title, rest, room) => {
    let length = title.length;
    const text = () => (length < title.length ? title.slice(0, length).trimEnd() + "…" : title) + rest;
    while (length > 1 && ctx.measureText(text()).width > room) length--;
    return text();
  };

  /* A lane for each kind of event of each variant, along the same axis as the charts above it. */
  function events(figure, given, x, sync, across, below, seconds) {
    const lane = 26;
    const lanes = self => {
      const { ctx, bbox } = self;
      const dpr = devicePixelRatio;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      ctx.textAlign = "left";
      ctx.textBaseline = "alphabetic";
      given.lanes.forEach((one, i) => {
        const top = bbox.top + i * lane * dpr;
        ctx.fillStyle = css("--soft");
        ctx.font = 11 * dpr + "px system-ui, sans-serif";
        ctx.fillText(cut(ctx, one.name, " · " + one.event + " · " + number(one.count), bbox.width - 8 * dpr), bbox.left + 4 * dpr, top + 12 * dpr);
        ctx.fillStyle = tone(one.colour);
        one.spans.forEach(([from, to]) => {
          const left = self.valToPos(from, "x", true);
          ctx.fillRect(left, top + 15 * dpr, Math.max(1.5 * dpr, self.valToPos(to, "x", true) - left), 8 * dpr);
        });
      });
      ctx.restore();
    };
    const half = x[0];
    const near = (one, i) => one.spans.some(([from, to]) => to >= x[i] - half && from <= x[i] + half);
    plot(figure, {
      title: words.events, data: [x, x.map(() => null)], series: [{}, { show: true, points: { show: false } }], items: [], sync,
      height: given.lanes.length * lane + 56,
      scales: { x: across(), y: { range: [0, 1] } },
      axes: [axis({ values: below, size: 30, space: 60 }), axis({ size: 52, values: () => [], grid: { show: false }, ticks: { show: false } })],
      hooks: { draw: [lanes] },
      at: (value, i) => seconds(value) + ": "
        + (given.lanes.filter(one => near(one, i)).map(one => one.name + " " + one.event).join(", ") || words.none),
      value: () => "",
    });
  }

  function drawAll() {
    charts.splice(0).forEach(one => one.destroy());
    times = 0;
    document.querySelectorAll("figure.chart").forEach(figure => {
      const source = figure.querySelector("script");
      figure.replaceChildren(source);
      ({ latency, time })[figure.dataset.kind](figure, JSON.parse(source.textContent));
    });
    document.documentElement.dataset.drawn = String(charts.length);
  }

  document.querySelectorAll(".flames button").forEach(button => button.addEventListener("click", () => {
    const box = element("div", "frames");
    button.parentElement.querySelectorAll("a").forEach(link => {
      const frame = element("iframe");
      frame.src = link.getAttribute("href");
      frame.title = link.textContent;
      box.append(frame);
    });
    button.parentElement.append(box);
    button.remove();
  }));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  drawAll();
})();
