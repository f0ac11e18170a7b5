
// A browser of keys and values. Both are bytes: typed and shown as text in which %XX is a byte, as plain text, or as
// hex, and never as markup.

const PAGE_RECORDS = 50;
const MOST_LIST_BYTES = 4 << 20;
const MOST_VALUE_BYTES = 256 << 10;
const SHOWN_VALUE_BYTES = 60;

const utf8 = new TextEncoder();

/** @return {string|null} null where the bytes are not UTF-8 */
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    return null;
  }
}

function hexOf(bytes) {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOfHex(text) {
  const compact = text.replace(/\s+/g, '');
  if (compact.length % 2 || /[^0-9a-fA-F]/.test(compact)) throw new Error('Hex is pairs of 0 to 9 and a to f.');
  return Uint8Array.from({length: compact.length / 2}, (_, i) => parseInt(compact.slice(2 * i, 2 * i + 2), 16));
}

/** Every byte but the letters, digits and marks that stand for themselves in a URL, as %XX. */
function urlOf(bytes) {
  return Array.from(bytes, byte => (/[\w.~-]/.test(String.fromCharCode(byte)) && byte < 128
    ? String.fromCharCode(byte) : '%' + byte.toString(16).toUpperCase().padStart(2, '0'))).join('');
}

/** For people: UTF-8 stays as it is; %, what cannot be seen and what is no text become %XX. */
function percentOf(bytes) {
  const text = textOf(bytes);
  if (text === null) {
    return Array.from(bytes, byte => (byte > 32 && byte < 127 && byte !== 37
      ? String.fromCharCode(byte) : '%' + byte.toString(16).toUpperCase().padStart(2, '0'))).join('');
  }
  return Array.from(text, c => (/[%\s\p{C}]/u.test(c) ? urlOf(utf8.encode(c)) : c)).join('').replaceAll('%20', ' ');
}

function bytesOfPercent(text) {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) throw new Error('A % is followed by two hex digits; %25 is a % itself.');
  return Uint8Array.from(text.split(/(%[0-9a-fA-F]{2})/).flatMap(part =>
    (/^%[0-9a-fA-F]{2}$/.test(part) ? [parseInt(part.slice(1), 16)] : [...utf8.encode(part)])));
}

function bytesOf(text, form) {
  return form === 'hex' ? bytesOfHex(text) : form === 'percent' ? bytesOfPercent(text) : utf8.encode(text);
}

/** In this form, or as the nearest one that loses nothing. */
function formOf(bytes, form) {
  if (form === 'hex') return hexOf(bytes);
  const text = form === 'text' ? textOf(bytes) : null;
  return text === null || /[\p{C}]/u.test(text) ? percentOf(bytes) : text;
}

function bytesOfBase64(text) {
  return Uint8Array.from(atob(text), c => c.charCodeAt(0));
}

/** Records from lines of JSON, of at most so many bytes: what is longer is not read. */
async function recordsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const records = [];
  let rest = '';
  let read = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return {records, cut: false};
    read += value.length;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const record = JSON.parse(line);
      if (record.complete === false) throw new Error(record.reason);
      if (record.key !== undefined) {
        records.push({key: bytesOfBase64(record.key), value: bytesOfBase64(record.value)});
      }
    }
    if (read > MOST_LIST_BYTES) {
      await reader.cancel();
      return {records, cut: true};
    }
  }
}

function startKeys(ask) {
  const form = () => byId('form').value;
  let shown = [];
  let etag = null;
  let sure = false;

  function say(id, text, bad = false) {
    byId(id).textContent = text;
    byId(id).className = bad ? 'note-bad' : 'soft';
  }

  /** Runs what a button asks for, and says what went wrong. */
  async function attempt(id, work) {
    try {
      await work();
    } catch (error) {
      say(id, error.message, true);
    }
  }

  function row({key, value}) {
    const open = element('button', {type: 'button', text: formOf(key, form())});
    open.addEventListener('click', () => {
      byId('form').value = form() === 'hex' ? 'hex' : 'percent';
      byId('key').value = formOf(key, form());
      attempt('key-note', get);
    });
    const start = value.subarray(0, SHOWN_VALUE_BYTES);
    const text = percentOf(start) + (value.length > start.length ? ' …' : '');
    return [element('td', {}, open), element('td', {class: 'key value', text, title: text}), numberCell(size(value.length))];
  }

  function showRecords(cut) {
    byId('records').replaceChildren(shown.length ? table([['key'], ['value'], ['size', 'num']], shown.map(row), 'records-table') : '');
    say('scan-note', shown.length ? things(shown.length, 'record') + (cut ? '; more are too long to list' : '')
      : 'No keys with this prefix.');
  }

  /** The records that follow a key, or those from the beginning of the prefix on. */
  async function scan(after) {
    const prefix = bytesOf(byId('prefix').value, form());
    const limit = PAGE_RECORDS + 1;
    const start = after ? [...after, 0] : prefix.length ? [...prefix] : [0];
    const response = await ask(`/v0/entities?start=${urlOf(start)}${endOf(prefix)}&limit=${limit}`,
      {headers: {Accept: 'application/x-ndjson'}});
    const {records, cut} = await recordsOf(response);
    byId('more').hidden = records.length < limit;
    shown = [...(after ? shown : []), ...records.slice(0, PAGE_RECORDS)];
    showRecords(cut);
  }

  /** Where keys with a prefix end: behind the greatest that begins with it. */
  function endOf(prefix) {
    const last = prefix.findLastIndex(byte => byte < 255);
    if (last < 0) return '';
    const end = [...prefix.slice(0, last + 1)];
    end[last]++;
    return '&end=' + urlOf(end);
  }

  function keyPath() {
    const key = bytesOf(byId('key').value, form());
    if (!key.length) throw new Error('A key has at least one byte.');
    return '/v0/entity?id=' + urlOf(key);
  }

  async function get() {
    const response = await ask(keyPath(), {headers: {Range: `bytes=0-${MOST_VALUE_BYTES - 1}`}});
    etag = response.headers.get('ETag');
    byId('value').value = '';
    if (response.status === 404) {
      say('key-note', 'Key not found.', true);
      return;
    }
    const all = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') || '')?.[1] || 0);
    const bytes = response.status === 416 ? new Uint8Array() : new Uint8Array(await response.arrayBuffer());
    const length = Math.max(all, bytes.length);
    const text = textOf(bytes);
    byId('value-form').value = text === null ? 'hex' : 'text';
    byId('value').value = text === null ? hexOf(bytes) : text;
    const cut = length > bytes.length ? `; the first ${plain(size(bytes.length))} are shown` : '';
    say('key-note', `${plain(size(length))}${cut}` + (etag ? `, version ${etag.replaceAll('"', '')}` : ''));
  }

  async function put() {
    const seconds = byId('ttl').value.trim();
    if (seconds && !/^[1-9]\d*$/.test(seconds)) throw new Error('TTL is a whole number of seconds, or empty for never.');
    const body = bytesOf(byId('value').value, byId('value-form').value);
    const response = await ask(keyPath() + (seconds ? '&ttl=' + seconds : ''), {method: 'PUT', body});
    say('key-note', `Put ${plain(size(body.length))}, version ${response.headers.get('ETag')?.replaceAll('"', '')}`);
  }

  async function remove() {
    if (!sure) {
      areYouSure(true);
      return;
    }
    areYouSure(false);
    await ask(keyPath(), {method: 'DELETE'});
    say('key-note', 'Deleted.');
  }

  function areYouSure(asked) {
    sure = asked;
    byId('delete').textContent = asked ? 'Really delete?' : 'Delete';
    byId('delete').className = asked ? 'sure' : '';
  }

  byId('scan-form').addEventListener('submit', event => {
    event.preventDefault();
    attempt('scan-note', () => scan(null));
  });
  byId('form').addEventListener('change', () => showRecords(false));
  byId('more').addEventListener('click', () => attempt('scan-note', () => scan(shown.at(-1).key)));
  byId('key-form').addEventListener('submit', event => {
    event.preventDefault();
    attempt('key-note', get);
  });
  byId('put').addEventListener('click', () => attempt('key-note', put));
  byId('delete').addEventListener('click', () => attempt('key-note', remove));
  byId('delete').addEventListener('blur', () => areYouSure(false));
}
