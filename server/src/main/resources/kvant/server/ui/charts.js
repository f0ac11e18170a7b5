
// Requests a second, and the latency of all of them: a column for each step, a row for each bucket, and the
// percentiles as lines over it. Both share one axis of time.

const MINUTE_MILLIS = 60_000;
const LEFT = 66;
const LABEL_WIDTH = 62;
const RIGHT = 10;

/** Few requests are seen next to many: the colour goes with this power of their number. */
const FAINT = 0.4;
const PERCENTILES = [[0.5, 'p50', '--p50'], [0.99, 'p99', '--p99'], [0.999, 'p99.9', '--p999']];
const RAMPS = {
  light: ['#e4eefa', '#9cc4ea', '#3f8fd2', '#12569c', '#08275a'],
  dark: ['#16283c', '#1d4a74', '#2a7ab8', '#58b4ea', '#d4f1ff'],
};
const scheme = matchMedia('(prefers-color-scheme: dark)');

function colorOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function ramp() {
  return scheme.matches ? RAMPS.dark : RAMPS.light;
}

/** The colour at a share of the ramp. */
function shade(share) {
  const stops = ramp();
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const part = [1, 3, 5].map(i => {
    const from = parseInt(stops[low].slice(i, i + 2), 16);
    return Math.round(from + (parseInt(stops[low + 1].slice(i, i + 2), 16) - from) * (at - low));
  });
  return `rgb(${part.join(',')})`;
}

/** A canvas with as many points as the screen has, drawn in units of CSS. */
function surface(canvas) {
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = '12px ' + getComputedStyle(document.body).fontFamily;
  return {pen, width, height, plot: width - LEFT - RIGHT};
}

/** Where steps lie: the newest ends at the right. */
class TimeAxis {
  constructor(history, plot) {
    this.endMillis = history.last ? history.last.atMillis : 0;
    const first = history.steps.length ? history.steps[0].atMillis : this.endMillis;
    const minutes = Math.ceil((this.endMillis - first) / MINUTE_MILLIS);
    this.spanMillis = Math.max(1, Math.min(minutes, KEPT_MILLIS / MINUTE_MILLIS)) * MINUTE_MILLIS;
    this.plot = plot;
  }

  x(millis) {
    return LEFT + (1 - (this.endMillis - millis) / this.spanMillis) * this.plot;
  }

  millis(x) {
    return this.endMillis - (1 - (x - LEFT) / this.plot) * this.spanMillis;
  }

  draw(pen, bottom) {
    pen.fillStyle = colorOf('--soft');
    pen.textBaseline = 'top';
    const labels = Math.max(2, this.plot / LABEL_WIDTH);
    const step = [15_000, 30_000, MINUTE_MILLIS, 2 * MINUTE_MILLIS].find(each => this.spanMillis / each <= labels)
      || 5 * MINUTE_MILLIS;
    for (let ago = 0; ago <= this.spanMillis; ago += step) {
      const x = this.x(this.endMillis - ago);
      const text = ago % MINUTE_MILLIS ? `−${ago / 1000} s` : `−${ago / MINUTE_MILLIS} min`;
      pen.textAlign = ago === 0 ? 'right' : ago === this.spanMillis ? 'left' : 'center';
      pen.fillText(ago === 0 ? 'now' : text, x, bottom + 6);
    }
  }
}

/** 1, 2 or 5 times a power of ten, and not less. */
function roundUp(value) {
  const power = Math.pow(10, Math.floor(Math.log10(value)));
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= value * 0.9999);
}

function drawRate(canvas, history, operations) {
  const {pen, height, plot} = surface(canvas);
  const axis = new TimeAxis(history, plot);
  const top = 8;
  const bottom = height - 10;
  const rates = history.steps.map(step =>
    countOf([step], operations, ['ok', 'miss', 'refused', 'failed']) / step.seconds);
  const highest = roundUp(Math.max(10, ...rates));
  const y = value => bottom - (value / highest) * (bottom - top);
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (const value of [0, highest / 2, highest]) {
    pen.strokeStyle = colorOf('--grid');
    pen.beginPath();
    pen.moveTo(LEFT, Math.round(y(value)) + 0.5);
    pen.lineTo(LEFT + plot, Math.round(y(value)) + 0.5);
    pen.stroke();
    pen.fillStyle = colorOf('--soft');
    if (value !== highest / 2) pen.fillText(value ? plain(rate(value)) : '0', LEFT - 8, y(value));
  }
  const line = new Path2D();
  history.steps.forEach((step, i) => {
    const x = axis.x(step.atMillis - step.seconds * 500);
    if (i && step.seconds && history.steps[i - 1].atMillis > step.atMillis - step.seconds * 1500) line.lineTo(x, y(rates[i]));
    else line.moveTo(x, y(rates[i]));
  });
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, 0, plot, height);
  pen.clip();
  pen.globalAlpha = 0.16;
  pen.fillStyle = colorOf('--rate');
  history.steps.forEach((step, i) => {
    const from = Math.round(axis.x(step.atMillis - step.seconds * 1000));
    pen.fillRect(from, y(rates[i]), Math.round(axis.x(step.atMillis)) - from, bottom - y(rates[i]));
  });
  pen.globalAlpha = 1;
  pen.strokeStyle = colorOf('--rate');
  pen.lineWidth = 1.75;
  pen.lineJoin = 'round';
  pen.stroke(line);
  pen.restore();
}

/** Which buckets are shown: those that were used, with one around them, and never less than three decades. */
function rowsOf(history, operations) {
  const bins = binsOf(history.steps, operations);
  const {bounds} = history;
  let low = bins.findIndex(number => number > 0);
  let high = bins.findLastIndex(number => number > 0);
  const at = value => bounds.findIndex(bound => bound >= value * 0.999);
  if (low < 0) [low, high] = [at(1e-4), at(0.1)];
  low = Math.max(1, Math.min(low - 1, at(1e-4)));
  high = Math.min(bounds.length - 2, Math.max(high + 1, at(0.1)));
  return {low, high};
}

/** @return {{highest: number}} requests a second of the darkest cell */
function drawHeat(canvas, history, operations, markedMillis) {
  const {pen, height, plot} = surface(canvas);
  const {bounds, steps} = history;
  const axis = new TimeAxis(history, plot);
  const top = 8;
  const bottom = height - 24;
  axis.draw(pen, bottom);
  if (bounds.length < 3) return {highest: 0};
  const {low, high} = rowsOf(history, operations);
  const floor = Math.log(bounds[low - 1]);
  const y = seconds => {
    const share = (Math.log(seconds) - floor) / (Math.log(bounds[high]) - floor);
    return bottom - Math.max(0, Math.min(1, share)) * (bottom - top);
  };
  drawScale(pen, y, bounds[low - 1], bounds[high], plot);
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, 0, plot, height);
  pen.clip();
  const columns = steps.map(step => binsOf([step], operations));
  const highest = Math.max(0, ...columns.map((bins, i) => Math.max(0, ...bins) / steps[i].seconds));
  columns.forEach((bins, i) => {
    const from = Math.round(axis.x(steps[i].atMillis - steps[i].seconds * 1000));
    const to = Math.round(axis.x(steps[i].atMillis));
    bins.forEach((number, row) => {
      if (!number || to <= LEFT) return;
      const upper = Math.round(y(Math.min(bounds[row], bounds[high])));
      const lower = Math.round(row ? y(bounds[row - 1]) : bottom);
      const share = Math.pow(number / steps[i].seconds / highest, FAINT);
      pen.fillStyle = shade(share);
      pen.fillRect(from, upper, Math.max(1, to - from), Math.max(1, lower - upper));
    });
  });
  drawPercentiles(pen, axis, y, steps, columns, bounds);
  if (markedMillis) {
    const x = Math.round(axis.x(markedMillis)) + 0.5;
    pen.strokeStyle = colorOf('--text');
    pen.lineWidth = 1;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x, bottom);
    pen.stroke();
  }
  pen.restore();
  return {highest};
}

function drawScale(pen, y, lowest, highest, plot) {
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (let power = Math.ceil(Math.log10(lowest) - 1e-6); power <= Math.log10(highest) + 1e-6; power++) {
    const value = Math.pow(10, power);
    const at = Math.round(y(value)) + 0.5;
    pen.strokeStyle = colorOf('--grid');
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(LEFT, at);
    pen.lineTo(LEFT + plot, at);
    pen.stroke();
    pen.fillStyle = colorOf('--soft');
    pen.fillText(plain(power < -3 ? [String(Math.round(value * 1e6)), 'µs']
      : power < 0 ? [String(Math.round(value * 1e3)), 'ms'] : [String(Math.round(value)), 's']), LEFT - 8, at);
  }
}

function drawPercentiles(pen, axis, y, steps, columns, bounds) {
  for (const [share, , color] of PERCENTILES) {
    const line = new Path2D();
    let before = null;
    columns.forEach((bins, i) => {
      const value = quantile(bins, bounds, share);
      const here = Number.isFinite(value);
      if (here) {
        const x = axis.x(steps[i].atMillis - steps[i].seconds * 500);
        const joined = before && before.atMillis > steps[i].atMillis - steps[i].seconds * 1500;
        if (joined) line.lineTo(x, y(value));
        else line.moveTo(x, y(value));
        if (!joined) line.lineTo(x + 0.01, y(value));
      }
      before = here ? steps[i] : null;
    });
    pen.lineJoin = 'round';
    pen.lineCap = 'round';
    pen.strokeStyle = colorOf('--card');
    pen.lineWidth = 4;
    pen.stroke(line);
    pen.strokeStyle = colorOf(color);
    pen.lineWidth = 2;
    pen.stroke(line);
  }
}

function drawLegend(target, highest) {
  const bar = element('i', {class: 'ramp'});
  bar.style.background = `linear-gradient(90deg, ${ramp().join(',')})`;
  const scale = element('span', {}, 'requests', bar, highest ? 'up to ' + plain(rate(highest)) : 'none yet');
  target.replaceChildren(scale, ...PERCENTILES.map(([, name, color]) => legendEntry(color, name, true)));
}
