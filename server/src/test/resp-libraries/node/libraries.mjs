// What libraries of Node.js do with the port that is given. A line for each: its name, what came of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(process.cwd() + '/');
const port = Number(process.argv[2]);
const url = `redis://127.0.0.1:${port}`;

async function nodeRedis() {
  const { createClient } = require('redis');
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  await client.set('nr:k', 'v', { EX: 60 });
  assert.equal(await client.get('nr:k'), 'v');
  assert.deepEqual(await client.multi().set('nr:a', '1').incr('nr:a').exec(), ['OK', 2]);
  await client.watch('nr:a');
  await client.set('nr:a', '5');
  await assert.rejects(client.multi().incr('nr:a').exec());
  assert.equal(await client.eval('return redis.call("GET", KEYS[1])', { keys: ['nr:a'] }), '5');
  assert.equal(await client.unlink(['nr:a', 'nr:k']), 2);
  client.destroy();
}

async function ioredis() {
  const Redis = require('ioredis').default;
  const client = new Redis({ port, maxRetriesPerRequest: 1 });
  try {
    await client.set('io:k', 'v', 'PX', 60000);
    assert.equal(await client.get('io:k'), 'v');
    const done = await client.multi().incr('io:n').incr('io:n').exec();
    assert.deepEqual(done, [[null, 1], [null, 2]]);
    client.defineCommand('ifequal', { numberOfKeys: 1, lua: 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0' });
    assert.equal(await client.ifequal('io:k', 'other'), 0);
    assert.equal(await client.ifequal('io:k', 'v'), 1);
    const values = await Promise.all(Array.from({ length: 500 }, (_, i) => client.incr('io:many')));
    assert.equal(Math.max(...values), 500);
  } finally {
    client.disconnect();
  }
}

async function keyv() {
  const KeyvRedis = (await import(process.cwd() + '/node_modules/@keyv/redis/dist/index.js')).default;
  const Keyv = (await import(process.cwd() + '/node_modules/keyv/dist/index.js')).default;
  const store = new Keyv({ store: new KeyvRedis(url), namespace: 'ky' });
  const errors = [];
  store.on('error', (e) => errors.push(e));
  await store.set('a', { x: 1 }, 60000);
  assert.deepEqual(await store.get('a'), { x: 1 });
  assert.equal(await store.has('a'), true);
  assert.equal(await store.delete('a'), true);
  assert.equal(await store.get('a'), undefined);
  await store.set('b', 1);
  await store.clear();
  assert.equal(await store.get('b'), undefined);
  assert.deepEqual(errors.map(String), []);
  await store.disconnect();
}

async function connectRedis() {
  const { RedisStore } = require('connect-redis');
  const { createClient } = require('redis');
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  const store = new RedisStore({ client, prefix: 'cr:' });
  await store.set('s1', { cookie: { originalMaxAge: 60000 }, user: 7 });
  assert.equal((await store.get('s1')).user, 7);
  await store.touch('s1', { cookie: { originalMaxAge: 90000 } });
  assert.equal(await store.length(), 1);
  assert.deepEqual(await store.ids(), ['s1']);
  assert.equal((await store.all())[0].user, 7);
  await store.destroy('s1');
  await store.clear();
  assert.equal(await store.length(), 0);
  client.destroy();
}

async function limiterOn(client, options) {
  const { RateLimiterRedis } = require('rate-limiter-flexible');
  const limiter = new RateLimiterRedis({ storeClient: client, points: 3, duration: 60, blockDuration: 1, ...options });
  for (let i = 0; i < 3; i++) await limiter.consume('me');
  await assert.rejects(limiter.consume('me'), (e) => e.msBeforeNext > 0);
  await limiter.reward('me', 1);
  assert.equal((await limiter.get('me')).consumedPoints >= 3, true);
  await limiter.delete('me');
  await limiter.consume('me', 2);
}

async function rateLimiterFlexible() {
  const Redis = require('ioredis').default;
  const client = new Redis({ port, maxRetriesPerRequest: 1, enableOfflineQueue: true });
  try {
    await limiterOn(client, { keyPrefix: 'rl' });
  } finally {
    client.disconnect();
  }
}

async function redlock() {
  const Redlock = require('redlock');
  const Redis = require('ioredis').default;
  const client = new Redis({ port, maxRetriesPerRequest: 1 });
  try {
    const locks = new Redlock([client], { retryCount: 200, retryDelay: 5, retryJitter: 5 });
    let inside = 0;
    let done = 0;
    await Promise.all(Array.from({ length: 20 }, async () => {
      const lock = await locks.lock('redlock:r', 5000);
      assert.equal(++inside, 1);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      done++;
      await lock.unlock();
    }));
    assert.equal(done, 20);
    const lock = await locks.lock('redlock:r', 5000);
    await lock.extend(5000);
    await lock.unlock();
    await assert.rejects(lock.unlock());
  } finally {
    client.disconnect();
  }
}

async function bullmq() {
  const { Queue } = require('bullmq');
  const queue = new Queue('q', { connection: { port, maxRetriesPerRequest: 1 } });
  queue.on('error', () => {});
  try {
    await queue.add('job', { a: 1 });
  } finally {
    await queue.disconnect?.();
  }
}

async function run(name, library, what) {
  let result;
  try {
    await Promise.race([
      what(),
      new Promise((_, reject) => setTimeout(() => reject(new Error('no answer within 20 s')), 20000).unref()),
    ]);
    result = 'runs';
  } catch (e) {
    const cause = e.errors?.[0] ?? e.cause ?? e;
    result = 'fails: ' + String(cause.message ?? cause).split('\n')[0].replace(/ script: [0-9a-f]{40}.*/, '').slice(0, 120);
  }
  const version = JSON.parse(readFileSync(`node_modules/${library}/package.json`)).version;
  console.log(`${name} | ${library} ${version} | ${result}`);
}

await run('node-redis', 'redis', nodeRedis);
await run('ioredis', 'ioredis', ioredis);
await run('Keyv', '@keyv/redis', keyv);
await run('connect-redis', 'connect-redis', connectRedis);
await run('rate-limiter-flexible', 'rate-limiter-flexible', rateLimiterFlexible);
await run('redlock', 'redlock', redlock);
await run('BullMQ', 'bullmq', bullmq);
process.exit(0);
