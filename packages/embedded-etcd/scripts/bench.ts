import { readFileSync } from 'node:fs';
import { RawClient } from '../src/testing/raw-client.ts';
import { SpawnedStore } from '../src/testing/spawned-store.ts';
import { TemporaryDirectory } from '../src/testing/temporary-directory.ts';

/**
 * Measures a server: `node scripts/bench.ts [endpoint pid]`. Without an endpoint it starts the
 * embedded store. Client and server share the machine, so the server's own processor time
 * (from /proc, on Linux) says more than the wall clock.
 */
const VALUE = Buffer.alloc(1024, 'x');
const OBJECTS = 10_000;
const key = (index: number): Buffer => Buffer.from(`/registry/pods/default/pod-${String(index).padStart(6, '0')}`);
const ALL = { key: Buffer.from('/registry/pods/'), range_end: Buffer.from('/registry/pods0') };

async function measure(name: string, operations: number, run: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  const cpuStart = cpuMs();
  await run();
  const ms = performance.now() - start;
  const cpu = ((cpuMs() - cpuStart) * 1000) / operations;
  process.stdout.write(
    `${name.padEnd(34)} ${ms.toFixed(0).padStart(7)} ms  ${((operations / ms) * 1000).toFixed(0).padStart(8)} ` +
      `/s  ${cpu.toFixed(0).padStart(7)} µs server CPU each\n`,
  );
}

function cpuMs(): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/** Runs `total` operations, `width` at a time. */
async function concurrent(total: number, width: number, run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < total) await run(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

using directory = new TemporaryDirectory();
const [, , given, givenPid] = process.argv;
const store =
  given === undefined
    ? new SpawnedStore(['--data-file', directory.file('data.db'), '--listen', '127.0.0.1:0'])
    : undefined;
const pid = store?.pid ?? givenPid;
const client = new RawClient(given ?? (await store?.endpoint()) ?? '');
const put = (index: number): Promise<unknown> => client.call('KV.Put', { key: key(index), value: VALUE });
const get = (index: number): Promise<unknown> => client.call('KV.Range', { key: key(index) });
const created = (index: number): Promise<unknown> =>
  client.call('KV.Txn', {
    compare: [{ key: key(index), target: 'Mod', result: 'Equal', mod_revision: 0 }],
    success: [{ request_put: { key: key(index), value: VALUE } }],
    failure: [{ request_range: { key: key(index) } }],
  });

await concurrent(500, 16, get);
await measure('create txn, 64 at a time', OBJECTS, () => concurrent(OBJECTS, 64, created));
await measure('put, one at a time', 1000, () => concurrent(1000, 1, put));
await measure('put, 64 at a time', 10_000, () => concurrent(10_000, 64, put));
await measure('get, one at a time', 2000, () => concurrent(2000, 1, get));
await measure('get, 64 at a time', 20_000, () => concurrent(20_000, 64, get));
await measure('count only', 500, () => concurrent(500, 1, () => client.call('KV.Range', { ...ALL, count_only: true })));
await measure(`range of ${OBJECTS} x 1 KiB`, 10, () => concurrent(10, 1, () => client.call('KV.Range', ALL)));
await measure('page of 500', 40, () => concurrent(40, 1, () => client.call('KV.Range', { ...ALL, limit: 500 })));
const watch = client.stream('Watch.Watch');
let events = 0;
const WATCHES = 100;
const seen = new Promise<void>((resolve) => {
  watch.on('data', (reply: { events?: unknown[] }) => {
    events += reply.events?.length ?? 0;
    if (events === WATCHES * 500) resolve();
  });
});
watch.on('error', () => undefined);
for (let index = 0; index < WATCHES; index++) watch.write({ create_request: { ...ALL, prev_kv: true } });
await new Promise((resolve) => setTimeout(resolve, 300));
await measure(`500 puts seen by ${WATCHES} watches`, WATCHES * 500, async () => {
  await concurrent(500, 16, put);
  await seen;
});
watch.cancel();
client.close();
await store?.kill('SIGTERM');
