
// The panels below the charts, each made from the last reading.

const RECENT_SECONDS = 10;
const STAGE_SECONDS = 30;
const STAGE_COLORS = {
  read: '--s0', queue: '--s1', engine: '--s2', commit: '--s2', deliver: '--s3', write: '--s4',
};

function tile(name, value, more, bad = false) {
  return element('div', {class: bad ? 'tile bad' : 'tile'},
    element('div', {class: 'name'}, name),
    element('div', {class: 'number'}, value[0], element('span', {class: 'unit', text: value[1]})),
    element('div', {class: 'more', text: more}));
}

function showTiles(target, history, operations) {
  const steps = history.recent(RECENT_SECONDS);
  const seconds = secondsOf(steps);
  const perSecond = results => (seconds ? countOf(steps, operations, results) / seconds : 0);
  const bins = binsOf(steps, operations);
  const refused = perSecond(['refused']);
  const failed = perSecond(['failed']);
  const reading = history.last;
  const tiles = [tile('requests', rate(perSecond(['ok', 'miss', 'refused', 'failed'])),
    plain(rate(perSecond(['miss']))) + ' misses')];
  for (const [share, name, color] of PERCENTILES) {
    tiles.push(tile(legendEntry(color, name, true), time(quantile(bins, history.bounds, share)), 'last ' + RECENT_SECONDS + ' s'));
  }
  tiles.push(tile('refused, failed', rate(refused + failed),
    refused || failed ? `${plain(rate(refused))}, ${plain(rate(failed))}` : 'none', refused + failed > 0));
  tiles.push(tile('connections', count(reading.sum('kvant_connections')),
    plain(size(reading.sum('kvant_client_memory_bytes'))) + ' held'));
  target.replaceChildren(...tiles);
}

function showStages(target, note, history, operations, choice) {
  const steps = history.recent(STAGE_SECONDS);
  const requests = total(binsOf(steps, operations));
  note.textContent = (choice === 'all' ? 'all requests' : choice) + ', last ' + STAGE_SECONDS + ' s';
  const rows = STAGES.map(stage => {
    let seconds = 0;
    for (const step of steps) {
      for (const operation of operations) seconds += step.stages[operation][stage]?.seconds || 0;
    }
    return {stage, seconds, bins: binsOf(steps, operations, stage)};
  }).filter(row => total(row.bins) > 0);
  if (!rows.length) {
    target.replaceChildren(element('p', {class: 'soft', text: 'No requests.'}));
    return;
  }
  const all = rows.reduce((sum, row) => sum + row.seconds, 0);
  target.replaceChildren(table(
    [['stage'], ['share of time', 'wide'], ['', 'num'], ['mean', 'num'], ['p99', 'num']],
    rows.map(({stage, seconds, bins}) => [
      element('td', {text: stage}),
      element('td', {class: 'wide'}, track([{share: seconds / all, color: STAGE_COLORS[stage]}], `${stage} share`)),
      numberCell(percent(seconds / all)),
      numberCell(time(seconds / requests)),
      numberCell(time(quantile(bins, history.bounds, 0.99))),
    ])));
}

function showWork(target, history) {
  const reading = history.last;
  const pools = reading.labelsOf('kvant_pool_workers', 'pool');
  const parts = [];
  if (pools.length) {
    parts.push(table([['pool'], ['threads', 'num'], ['waiting', 'num'], ['refused', 'num']], pools.map(pool => {
      const waiting = reading.sum('kvant_pool_waiting', {pool});
      const refused = history.perSecond('kvant_pool_refused_total', {pool});
      return element('tr', {class: refused > 0 ? 'hot' : ''},
        element('td', {text: pool}),
        numberCell(count(reading.sum('kvant_pool_workers', {pool}))),
        numberCell(count(waiting)),
        numberCell(rate(refused)));
    })));
  }
  const pairs = [
    ['refused by the adaptive limit', rate(history.perSecond('kvant_admission_refused_total'))],
    ['open ranges', count(reading.sum('kvant_open_scans'))],
  ];
  if (reading.has('kvant_lsm_commit_queue_writes')) {
    const groups = history.perSecond('kvant_lsm_commit_group_writes_count');
    const writes = history.perSecond('kvant_lsm_commit_group_writes_sum');
    const syncs = history.perSecond('kvant_lsm_log_sync_seconds_count');
    pairs.push(
      ['writes waiting for commit', count(reading.sum('kvant_lsm_commit_queue_writes'))],
      ['writes per commit group', groups ? digits(writes / groups) : '–'],
      ['fsync, mean', time(syncs ? history.perSecond('kvant_lsm_log_sync_seconds_sum') / syncs : NaN)]);
  }
  parts.push(list(pairs));
  target.replaceChildren(...parts);
}

function showLevels(card, target, note, history) {
  const reading = history.last;
  const own = reading.has('kvant_lsm_level_bytes');
  card.hidden = !own && !reading.has('kvant_rocksdb_level_tables');
  if (card.hidden) return;
  target.replaceChildren(...(own ? lsmLevels(note, history) : rocksDbLevels(note, reading)));
}

function levelTable(levels, measure, columns) {
  const used = levels.filter(level => measure(level) > 0);
  if (!used.length) return element('p', {class: 'soft', text: 'All data is in memtables.'});
  const largest = Math.max(...used.map(measure));
  return table([['level'], ['', 'wide'], ...columns.map(([name]) => [name, 'num'])], used.map(level => [
    element('td', {text: 'L' + level}),
    element('td', {class: 'wide'}, track([{share: measure(level) / largest, color: '--s2'}], 'share of level ' + level)),
    ...columns.map(([, value]) => numberCell(value(level))),
  ]));
}

function lsmLevels(note, history) {
  const reading = history.last;
  const bytes = level => reading.sum('kvant_lsm_level_bytes', {level});
  note.textContent = plain(size(reading.sum('kvant_lsm_level_bytes'))) + ' in '
    + things(reading.sum('kvant_lsm_level_tables'), 'table');
  const merging = reading.sum('kvant_lsm_compactions_running');
  const hits = history.perSecond('kvant_lsm_block_cache_hits_total');
  const misses = history.perSecond('kvant_lsm_block_cache_misses_total');
  return [levelTable(reading.labelsOf('kvant_lsm_level_bytes', 'level'), bytes, [
    ['size', level => size(bytes(level))],
    ['tables', level => count(reading.sum('kvant_lsm_level_tables', {level}))],
    ['records', level => count(reading.sum('kvant_lsm_level_records', {level}))],
  ]), list([
    ['compaction debt', size(reading.sum('kvant_lsm_compaction_debt_bytes'))],
    ['compactions now', merging ? count(merging) : 'none'],
    ['compaction writes', plain(size(history.perSecond('kvant_lsm_compaction_written_bytes_total'))) + '/s'],
    ['memtables', size(reading.sum('kvant_lsm_memtable_bytes'))],
    ['memtables waiting for flush', count(reading.sum('kvant_lsm_sealed_memtables'))],
    ['write stall', percent(history.perSecond('kvant_lsm_write_stall_seconds_sum'))],
    ['write amplification since start', digits(reading.sum('kvant_lsm_write_amplification'))],
    ['block cache hits', percent(hits + misses ? hits / (hits + misses) : NaN)],
  ])];
}

function rocksDbLevels(note, reading) {
  const tables = level => reading.sum('kvant_rocksdb_level_tables', {level});
  note.textContent = plain(size(reading.sum('kvant_rocksdb_table_bytes'))) + ' of tables';
  return [levelTable(reading.labelsOf('kvant_rocksdb_level_tables', 'level'), tables, [
    ['tables', level => count(tables(level))],
  ]), list([
    ['compaction debt', size(reading.sum('kvant_rocksdb_compaction_pending_bytes'))],
    ['compactions now', count(reading.sum('kvant_rocksdb_compactions_running'))],
    ['memtables', size(reading.sum('kvant_rocksdb_memtable_bytes'))],
    ['keys, estimated', count(reading.sum('kvant_rocksdb_keys_estimate'))],
  ])];
}

function showCluster(card, target, history) {
  const reading = history.last;
  card.hidden = !reading.has('kvant_cassandra_nodes');
  if (card.hidden) return;
  const up = reading.sum('kvant_cassandra_nodes_up');
  const nodes = reading.sum('kvant_cassandra_nodes');
  target.replaceChildren(
    track([{share: nodes ? up / nodes : 0, color: up < nodes ? '--bad' : '--good'}], `${up} of ${nodes} nodes are up`),
    list([
      ['nodes up', `${up} of ${nodes}`],
      ['requests in flight', count(reading.sum('kvant_cassandra_in_flight'))],
      ['bytes of writes in flight', size(reading.sum('kvant_cassandra_pending_bytes'))],
      ['failures', rate(history.perSecond('kvant_cassandra_failures_total'))],
      ['retries', rate(history.perSecond('kvant_cassandra_retries_total'))],
      ['speculative gets', rate(history.perSecond('kvant_cassandra_speculative_total'))],
    ]));
}

function showNode(target, history, status) {
  const reading = history.last;
  const heap = reading.sum('jvm_memory_used_bytes', {area: 'heap'});
  const most = reading.sum('jvm_memory_max_bytes', {area: 'heap'});
  const pairs = [
    ['CPUs used', history.perSecond('process_cpu_seconds_total').toFixed(2)],
    ['time in GC', percent(history.perSecond('jvm_gc_collection_seconds_sum'))],
    ['heap', plain(size(heap)) + (most > 0 ? ' of ' + plain(size(most)) : '')],
    ['resident memory', size(reading.sum('process_resident_memory_bytes'))],
    ['threads', count(reading.sum('jvm_threads_current'))],
    ['open files', `${plain(count(reading.sum('process_open_fds')))} of `
      + plain(count(reading.sum('process_max_fds')))],
  ];
  for (const check of status.checks) {
    // The archive is never a reason not to be ready: its lag and its troubles are in the detail.
    pairs.push([check.name, check.ok && check.name !== 'archive' ? 'ok' : check.detail]);
  }
  target.replaceChildren(list(pairs));
}

/** The stage that took longest, and what the process did at that time, in milliseconds by kind. */
function causeOf(request) {
  const {read, queue, engine, deliver, write} = request.stages;
  const commits = ['put', 'delete', 'batch'].includes(request.operation);
  const stages = {read, queue, [commits ? 'commit' : 'engine']: engine, deliver, write};
  const [main] = Object.entries(stages).reduce((a, b) => (b[1] > a[1] ? b : a));
  const meanwhile = new Map();
  for (const {kind, millis} of request.meanwhile) meanwhile.set(kind, (meanwhile.get(kind) || 0) + millis);
  return {stages, main, meanwhile};
}

/** Requests by cause: those of one operation with one main stage and one concurrent activity, which overlap in time. */
function groupsOf(requests) {
  const groups = [];
  for (const request of requests) {
    const {stages, main, meanwhile} = causeOf(request);
    const cause = [request.operation, request.result, main, ...[...meanwhile.keys()].sort()].join(' ');
    const end = Date.parse(request.ended);
    const start = end - request.totalMillis;
    const group = groups.find(each => each.cause === cause && each.start <= end && start <= each.end);
    if (group) {
      group.count++;
      group.start = Math.min(group.start, start);
      group.end = Math.max(group.end, end);
    } else {
      groups.push({cause, start, end, count: 1, request, stages, main, meanwhile});
    }
  }
  return groups;
}

function slowRow({request, count, stages, main, meanwhile}, keys) {
  const parts = Object.entries(stages).map(([stage, millis]) => ({
    share: request.totalMillis ? millis / request.totalMillis : 0, color: STAGE_COLORS[stage],
  }));
  const words = Object.entries(stages).map(([stage, millis]) => `${stage} ${plain(time(millis / 1000))}`).join(', ');
  const activity = [...meanwhile].map(([kind, millis]) => `${kind} ${plain(time(millis / 1000))}`).join(', ');
  const operation = request.operation + (request.result === 'ok' ? '' : ', ' + request.result);
  return element('tr', {},
    numberCell(time(request.totalMillis / 1000)),
    element('td', {class: 'what', text: operation + (count > 1 ? ` × ${count}` : '')}),
    element('td', {class: 'stages', title: words}, track(parts, words),
      element('span', {class: 'cause', text: `mostly ${main}` + (activity ? `; concurrent: ${activity}` : '')})),
    ...(keys ? [element('td', {class: 'key', text: request.key})] : []),
    element('td', {class: 'num soft', text: new Date(request.ended).toLocaleTimeString('en-GB')}));
}

const SLOWEST_SHOWN = 10;

function showSlow(target, requests, choice) {
  const wanted = groupsOf(requests.filter(request =>
    (choice === 'all' ? request.operation !== 'other' : request.operation === choice))).slice(0, SLOWEST_SHOWN);
  const keys = wanted.some(({request}) => request.key);
  const heads = [['time', 'num'], ['request'], ['stages, concurrent activity', 'stages'],
    ...(keys ? [['key']] : []), ['ended', 'num']];
  target.replaceChildren(wanted.length
    ? table(heads, wanted.map(group => slowRow(group, keys)), 'slow')
    : element('p', {class: 'soft', text: 'No requests yet.'}));
}
