
// Readings of /metrics, and the differences between them: steps. Steps are kept for KEPT_MILLIS; those from before the
// page was opened come from /ui/history.

const KEPT_MILLIS = 600_000;
const STEP_MILLIS = 2000;
const NAMES = /^(kvant_|process_|jvm_memory_|jvm_gc_|jvm_threads_current)/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const OPERATIONS = ['get', 'put', 'delete', 'batch', 'range'];
const STAGES = ['read', 'queue', 'engine', 'commit', 'deliver', 'write'];
const LATENCY = 'kvant_request_stage_seconds';

/** Samples of the text of Prometheus by name: a map to lists of {labels, value}. */
function parseMetrics(text) {
  const all = new Map();
  for (const line of text.split('\n')) {
    if (!NAMES.test(line)) continue;
    const found = SAMPLE.exec(line);
    if (!found) continue;
    const labels = {};
    for (const [, name, value] of (found[2] || '').matchAll(LABEL)) {
      labels[name] = value.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c));
    }
    const samples = all.get(found[1]);
    const sample = {labels, value: Number(found[3])};
    if (samples) samples.push(sample);
    else all.set(found[1], [sample]);
  }
  return all;
}

/** One reading of /metrics. */
class Reading {
  constructor(text, atMillis) {
    this.atMillis = atMillis;
    this.samples = parseMetrics(text);
  }

  has(name) {
    return this.samples.has(name);
  }

  list(name) {
    return this.samples.get(name) || [];
  }

  /** The sum of all samples of a name that have these labels, or 0. */
  sum(name, labels = {}) {
    let sum = 0;
    for (const sample of this.list(name)) {
      if (Object.entries(labels).every(([key, value]) => sample.labels[key] === value)) sum += sample.value;
    }
    return sum;
  }

  labelsOf(name, label) {
    return [...new Set(this.list(name).map(sample => sample.labels[label]))];
  }
}

/** Upper bounds of the buckets of request times in seconds, rising; the last is infinite. */
function boundsOf(reading) {
  const bounds = new Set(reading.list(LATENCY + '_bucket').map(sample => boundOf(sample.labels.le)));
  return [...bounds].sort((a, b) => a - b);
}

function boundOf(text) {
  return text === '+Inf' ? Infinity : Number(text);
}

/** How much more a counter says than before; a node that was started again begins at 0. */
function increase(now, before) {
  return now >= before ? now - before : now;
}

/** What happened between two readings: of each operation results, bins of times, and time in each stage. */
class Step {
  constructor(before, now, bounds) {
    this.atMillis = now.atMillis;
    this.seconds = (now.atMillis - before.atMillis) / 1000;
    this.results = {};
    this.bins = {};
    this.stages = {};
    for (const operation of [...OPERATIONS, 'changes', 'other']) {
      this.results[operation] = {};
      for (const result of ['ok', 'miss', 'refused', 'failed']) {
        const labels = {operation, result};
        this.results[operation][result] =
          increase(now.sum('kvant_requests_total', labels), before.sum('kvant_requests_total', labels));
      }
      this.stages[operation] = {};
    }
    const earlier = this.#cumulative(before);
    for (const [series, counts] of this.#cumulative(now)) {
      const [operation, stage] = series.split(' ');
      const old = earlier.get(series);
      const bins = this.#bins(counts, old, bounds);
      if (stage === 'total') this.bins[operation] = bins;
      const labels = {operation, stage};
      const seconds = increase(now.sum(LATENCY + '_sum', labels), before.sum(LATENCY + '_sum', labels));
      (this.stages[operation] ??= {})[stage] = {seconds, bins}; // of an operation that this page does not know, too
    }
  }

  #cumulative(reading) {
    const series = new Map();
    for (const {labels, value} of reading.list(LATENCY + '_bucket')) {
      const name = labels.operation + ' ' + labels.stage;
      if (!series.has(name)) series.set(name, new Map());
      series.get(name).set(boundOf(labels.le), value);
    }
    return series;
  }

  #bins(now, before, bounds) {
    let below = 0;
    return bounds.map(bound => {
      const upTo = increase(now.get(bound) || 0, (before && before.get(bound)) || 0);
      const here = Math.max(0, upTo - below);
      below = upTo;
      return here;
    });
  }
}

/** The steps of the last KEPT_MILLIS, for all operations together or one of them. */
class History {
  constructor() {
    this.steps = [];
    this.bounds = [];
    this.last = null;
    this.before = null;
  }

  add(reading) {
    if (this.last) {
      if (!this.bounds.length) this.bounds = boundsOf(reading);
      this.steps.push(new Step(this.last, reading, this.bounds));
      while (this.steps[0].atMillis < reading.atMillis - KEPT_MILLIS) this.steps.shift();
    }
    this.before = this.last;
    this.last = reading;
  }

  /** Adds the node's samples, oldest first: rows of an age in seconds and a value for each series. */
  seed({series, samples}, nowMillis) {
    for (const [ago, ...values] of samples) {
      this.add(new Reading(series.map((name, i) => `${name} ${values[i]}`).join('\n'), nowMillis - ago * 1000));
    }
    this.interrupt();
  }

  /** After a pause: requests during the pause belong to no step. */
  interrupt() {
    this.last = null;
  }

  recent(seconds) {
    const now = this.last ? this.last.atMillis : 0;
    return this.steps.filter(step => now - step.atMillis < seconds * 1000);
  }

  /** How much a counter rises in a second, over the last step; 0 before there is one. */
  perSecond(name, labels = {}) {
    if (!this.last || !this.before) return 0;
    const seconds = (this.last.atMillis - this.before.atMillis) / 1000;
    return seconds > 0 ? increase(this.last.sum(name, labels), this.before.sum(name, labels)) / seconds : 0;
  }
}

function operationsOf(choice) {
  return choice === 'all' ? OPERATIONS : [choice];
}

/** @return {number[]} requests by bucket, of some steps and operations */
function binsOf(steps, operations, stage = 'total') {
  let sum = [];
  for (const step of steps) {
    for (const operation of operations) {
      const bins = stage === 'total' ? step.bins[operation] : step.stages[operation][stage]?.bins;
      if (!bins) continue;
      sum = sum.length ? sum.map((count, i) => count + bins[i]) : bins.slice();
    }
  }
  return sum;
}

function total(bins) {
  return bins.reduce((sum, count) => sum + count, 0);
}

/** The time that a share of requests does not exceed: between the bounds of its bucket on a logarithmic scale. */
function quantile(bins, bounds, share) {
  const all = total(bins);
  if (!all) return NaN;
  let wanted = all * share;
  for (let i = 0; i < bins.length; i++) {
    if (bins[i] && wanted <= bins[i]) {
      const lower = i ? bounds[i - 1] : bounds[0] / 2.5;
      if (bounds[i] === Infinity) return lower;
      return lower * Math.pow(bounds[i] / lower, wanted / bins[i]);
    }
    wanted -= bins[i];
  }
  return bounds[bounds.length - 2];
}

function countOf(steps, operations, results) {
  let count = 0;
  for (const step of steps) {
    for (const operation of operations) {
      for (const result of results) count += step.results[operation][result];
    }
  }
  return count;
}

function secondsOf(steps) {
  return steps.reduce((sum, step) => sum + step.seconds, 0);
}
