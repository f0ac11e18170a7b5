
// Reads the node every two seconds and shows the answers. The token is kept in this variable only.

const SLOW_EVERY = 5;
const PATIENCE_MILLIS = 10_000;

const history = new History();
let token = null;
let choice = 'all';
let paused = false;
let rounds = 0;
let markedMillis = null;
let timer = 0;
let slowest = [];
let status = {checks: []};

/** The node refused: with its words. */
class Refusal extends Error {
  constructor(response, problem) {
    super(problem.detail || response.statusText || 'status ' + response.status);
    this.status = response.status;
  }
}

function headers(more) {
  return token ? {...more, Authorization: 'Bearer ' + token} : more;
}

/** Asks the node; the answer may be 404, 412 or 416, any other refusal is thrown. */
async function ask(path, options = {}) {
  const response = await fetch(path, {
    cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MILLIS), ...options,
    headers: headers(options.headers || {}),
  });
  if (!response.ok && ![404, 412, 416].includes(response.status)) {
    throw new Refusal(response, await response.json().catch(() => ({})));
  }
  return response;
}

async function round() {
  if (!history.steps.length && rounds === 0) history.seed(await (await ask('/ui/history')).json(), performance.now());
  const metrics = await ask('/metrics', {headers: {Accept: 'text/plain'}});
  const text = await metrics.text();
  history.add(new Reading(text, performance.now()));
  status = await (await ask('/v0/status')).json();
  if (rounds++ % SLOW_EVERY === 0) slowest = (await (await ask('/ui/slow')).json()).requests;
}

async function poll() {
  timer = 0;
  try {
    await round();
    byId('signin').hidden = true;
    byId('figures').hidden = false;
    trouble('');
    show();
  } catch (error) {
    failed(error);
  }
  schedule();
}

function schedule() {
  const waits = byId('signin').hidden === false;
  if (!paused && !document.hidden && !waits && !timer) timer = setTimeout(poll, STEP_MILLIS);
}

function failed(error) {
  history.interrupt();
  if (error instanceof Refusal && [401, 403].includes(error.status)) {
    if (token) trouble(error.message);
    token = null;
    byId('forget').hidden = true;
    byId('figures').hidden = true;
    byId('signin').hidden = false;
    pill('locked', 'warn');
    byId('token').focus();
    return;
  }
  const unreachable = !(error instanceof Refusal);
  pill(unreachable ? 'no answer' : 'refused', 'bad');
  trouble(unreachable ? 'The node does not answer; trying again.' : error.message);
}

function trouble(text) {
  byId('trouble').textContent = text;
  byId('trouble').hidden = !text;
}

function pill(text, kind) {
  byId('state').textContent = text;
  byId('state').className = 'pill ' + kind;
}

function show() {
  if (!history.last) return;
  const operations = operationsOf(choice);
  pill(paused ? 'paused' : status.ready ? 'ready' : 'not ready', paused ? 'warn' : status.ready ? 'good' : 'bad');
  byId('about').textContent = `${status.engine} · ${status.version} · up for ${span(status.uptimeSeconds)}`;
  showTiles(byId('tiles'), history, operations);
  showStages(byId('stages'), byId('stages-note'), history, operations, choice);
  showWork(byId('work'), history);
  showLevels(byId('lsm-card'), byId('lsm'), byId('lsm-note'), history);
  showCluster(byId('cluster-card'), byId('cluster'), history);
  showNode(byId('node'), history, status);
  showSlow(byId('slow'), slowest, choice);
  drawCharts();
}

function drawCharts() {
  if (byId('figures').hidden) return;
  const operations = operationsOf(choice);
  drawRate(byId('rate'), history, operations);
  const {highest} = drawHeat(byId('heat'), history, operations, markedMillis);
  drawLegend(byId('legend'), highest);
  byId('latency-note').textContent =
    'requests per second by latency; requests for pages about the node are not counted';
  const bins = binsOf(history.recent(RECENT_SECONDS), operations);
  byId('heat').setAttribute('aria-label', 'Latency over the last ten minutes; now ' + PERCENTILES
    .map(([share, name]) => `${name} ${plain(time(quantile(bins, history.bounds, share)))}`).join(', '));
  read();
}

/** The figures of the step that was pointed at. */
function read() {
  const step = markedMillis && history.steps.findLast(each => each.atMillis - each.seconds * 1000 <= markedMillis);
  if (!step) {
    byId('reading').textContent = 'Point at a column, or use the arrow keys on it, to read it.';
    return;
  }
  const operations = operationsOf(choice);
  const bins = binsOf([step], operations);
  const ago = Math.round((history.last.atMillis - step.atMillis) / 1000);
  byId('reading').textContent = `${ago} s ago: `
    + plain(rate(countOf([step], operations, ['ok', 'miss', 'refused', 'failed']) / step.seconds)) + ', '
    + PERCENTILES.map(([share, name]) => `${name} ${plain(time(quantile(bins, history.bounds, share)))}`).join(', ');
}

function mark(millis) {
  markedMillis = millis;
  drawCharts();
}

function startCharts() {
  const heat = byId('heat');
  heat.addEventListener('pointermove', event => {
    const axis = new TimeAxis(history, heat.clientWidth - LEFT - RIGHT);
    mark(axis.millis(event.offsetX));
  });
  heat.addEventListener('pointerleave', () => mark(null));
  heat.addEventListener('keydown', event => {
    const move = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!move || !history.steps.length) return;
    event.preventDefault();
    const last = history.steps.at(-1).atMillis - 1;
    mark(Math.min(last, (markedMillis || last + STEP_MILLIS) + move * STEP_MILLIS));
  });
  heat.addEventListener('blur', () => mark(null));
  new ResizeObserver(drawCharts).observe(heat);
  scheme.addEventListener('change', drawCharts);
}

function start() {
  for (const operation of OPERATIONS) byId('operation').append(element('option', {value: operation, text: operation}));
  byId('operation').addEventListener('change', event => {
    choice = event.target.value;
    show();
  });
  byId('pause').addEventListener('click', () => {
    paused = !paused;
    byId('pause').textContent = paused ? 'Resume' : 'Pause';
    byId('pause').setAttribute('aria-pressed', String(paused));
    clearTimeout(timer);
    timer = 0;
    if (paused) history.interrupt();
    else poll();
    if (paused) pill('paused', 'warn');
  });
  byId('token-form').addEventListener('submit', event => {
    event.preventDefault();
    token = byId('token').value.trim();
    byId('token').value = '';
    byId('forget').hidden = false;
    poll();
  });
  byId('forget').addEventListener('click', () => location.reload());
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) history.interrupt();
    else schedule();
  });
  byId('slow-legend').replaceChildren(...['read', 'queue', 'engine', 'deliver', 'write'].map(stage =>
    legendEntry(STAGE_COLORS[stage], stage === 'engine' ? 'engine, commit' : stage)));
  startCharts();
  if (startKeys) startKeys(ask);
  poll();
}

start();
