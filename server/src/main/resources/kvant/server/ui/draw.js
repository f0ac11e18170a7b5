
// Elements, numbers and units. Nothing that the node says becomes markup: text goes in as text.

function byId(id) {
  return document.getElementById(id);
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') made.textContent = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});

/** Three digits that count. */
function digits(value) {
  const size = Math.abs(value);
  if (size === 0) return '0';
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

/** @return {string[]} number and unit */
function time(seconds) {
  if (!Number.isFinite(seconds)) return ['–', ''];
  if (seconds === 0) return ['0', 'ms'];
  if (seconds < 0.9995e-3) return [digits(seconds * 1e6), 'µs'];
  return seconds < 0.9995 ? [digits(seconds * 1e3), 'ms'] : [digits(seconds), 's'];
}

function size(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  let number = bytes;
  for (; number >= 1000 && at < units.length - 1; at++) number /= 1024;
  return [at ? digits(number) : whole.format(number), units[at]];
}

function count(value) {
  if (value >= 999.5e6) return [digits(value / 1e9), 'G'];
  if (value >= 999.5e3) return [digits(value / 1e6), 'M'];
  return [value > 0 && value < 9.95 && !Number.isInteger(value) ? value.toFixed(1) : whole.format(value), ''];
}

function rate(perSecond) {
  const [number, unit] = count(perSecond);
  return [number, unit + '/s'];
}

function things(number, name) {
  return `${whole.format(number)} ${name}${number === 1 ? '' : 's'}`;
}

function percent(share) {
  return Number.isFinite(share) ? [share ? (share * 100).toFixed(share >= 0.0995 ? 0 : 1) : '0', '%'] : ['–', ''];
}

function plain([number, unit]) {
  return unit ? number + ' ' + unit : number;
}

function span(seconds) {
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} min` : minutes ? `${minutes} min` : `${Math.floor(seconds)} s`;
}

/** A cell of a table with a number and its unit, so that numbers of a column line up. */
function numberCell(value, tag = 'td') {
  const cell = element(tag, {class: 'num'});
  cell.append(value[0]);
  if (value[1]) cell.append(element('span', {class: 'unit', text: value[1]}));
  return cell;
}

/** @param {{share: number, color: string}[]} parts of the whole track */
function track(parts, label) {
  const bar = element('div', {class: 'track', role: 'img', 'aria-label': label});
  for (const {share, color} of parts) {
    const part = element('i');
    part.style.width = (Math.max(0, Math.min(1, share)) * 100).toFixed(2) + '%';
    part.style.background = `var(${color})`;
    bar.append(part);
  }
  return bar;
}

function table(heads, rows, className = '') {
  const head = element('tr');
  for (const [text, kind] of heads) head.append(element('th', {scope: 'col', class: kind || '', text}));
  const body = element('tbody');
  rows.forEach(cells => body.append(cells instanceof Element ? cells : element('tr', {}, ...cells)));
  return element('table', {class: className}, element('thead', {}, head), body);
}

/** Names and values, one a line. */
function list(pairs) {
  const made = element('dl');
  for (const [name, value] of pairs) {
    made.append(element('dt', {text: name}), element('dd', {text: Array.isArray(value) ? plain(value) : value}));
  }
  return made;
}

function legendEntry(color, text, line = false) {
  const swatch = element('i', {class: line ? 'swatch line' : 'swatch'});
  swatch.style.background = `var(${color})`;
  return element('span', {}, swatch, text);
}
