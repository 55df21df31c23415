import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from './requests/client.ts';
import { runChain, type RunningChain } from './start-up/run-chain.ts';
import { printTable } from './storage/table.ts';

const usage = `Usage: node bench/src/scale.ts [flags] [-- flags of kubechain up]

Grows a chain step by step and prints at each step what it uses and how long it takes: more and more config maps of
1 KiB first, then more and more watches of them. Linux only.

  --objects LIST    (default 1000,10000,30000,100000)
  --watches LIST    (default 100,1000,3000)
  --writers N       (default 16)
  --secure-port N   (default 17445)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    objects: { type: 'string', default: '1000,10000,30000,100000' },
    watches: { type: 'string', default: '100,1000,3000' },
    writers: { type: 'string', default: '16' },
    'secure-port': { type: 'string', default: '17445' },
    help: { type: 'boolean', default: false },
  },
});

const path = '/api/v1/namespaces/default/configmaps';
const processes = ['etcd', 'kube-apiserver', 'apiextensions', 'aggregator'] as const;
const numbers = (list: string): readonly number[] => list.split(',').map(Number);
/** Reads that a median is made of. */
const reads = 21;
/** Events that are sent to all watches of a step. */
const events = 50;

const bodyOf = (name: string): string => JSON.stringify({ metadata: { name }, data: { text: 'x'.repeat(900) } });

async function median(read: (i: number) => Promise<unknown>, count = reads): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    await read(i);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[count >> 1]!;
}

/** Resident memory of each process, in MB, after the collector has had time to come by. */
async function memory(chain: RunningChain): Promise<string[]> {
  await delay(3_000);
  const used = chain.usage();
  return processes.map((name) => ((used.get(name)?.rssBytes ?? 0) / 1e6).toFixed(0));
}

function cpuMs(chain: RunningChain): number {
  const used = chain.usage();
  return processes.reduce((sum, name) => sum + (used.get(name)?.cpuMs ?? 0), 0);
}

/** Again after a second where a busy machine had no answer; what was written all the same is there, and heard of. */
async function patiently(write: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await write();
      return;
    } catch (error) {
      if (error instanceof Error && error.message.includes(': 409 ')) return;
      if (attempts === 30) throw error;
      await delay(1_000);
    }
  }
}

async function growObjects(chain: RunningChain, client: Client): Promise<void> {
  const rows: string[][] = [
    ['objects', ...processes.map((name) => `${name} MB`), 'create ms CPU', 'GET ms', 'LIST 500 ms', 'LIST all ms'],
  ];
  let made = 0;
  for (const wanted of numbers(values.objects)) {
    const [from, before] = [made, cpuMs(chain)];
    await Promise.all(
      Array.from({ length: Number(values.writers) }, async () => {
        while (made < wanted) {
          const body = bodyOf(`object-${made++}`);
          await patiently(() => client.call('POST', path, body));
        }
      }),
    );
    const each = (cpuMs(chain) - before) / (made - from);
    const get = await median((i) => client.call('GET', `${path}/object-${Math.floor((i / reads) * wanted)}`));
    const page = await median(() => client.call('GET', `${path}?limit=500`));
    const all = await median(() => client.call('GET', `${path}?resourceVersion=0`), 3);
    rows.push([
      String(wanted),
      ...(await memory(chain)),
      ...[each, get, page, all].map((figure) => figure.toFixed(figure < 10 ? 2 : 0)),
    ]);
  }
  printTable(rows);
}

async function growWatches(chain: RunningChain, client: Client): Promise<void> {
  const rows: string[][] = [
    ['watches', ...processes.map((name) => `${name} MB`), 'CPU µs for an event of a watch', 'last event after ms'],
  ];
  let heard = 0;
  let open = 0;
  for (const wanted of numbers(values.watches)) {
    for (; open < wanted; open++) {
      const stream = await client.stream(`${path}?watch=1&labelSelector=watched`);
      stream.setEncoding('utf8').on('data', (text: string) => {
        heard += text.split('"ADDED"').length - 1;
      });
    }
    const resting = await memory(chain);
    const before = cpuMs(chain);
    heard = 0;
    const startedAt = performance.now();
    for (let i = 0; i < events; i++)
      await patiently(() =>
        client.call(
          'POST',
          path,
          JSON.stringify({ metadata: { name: `event-${wanted}-${i}`, labels: { watched: 'yes' } } }),
        ),
      );
    while (heard < wanted * events) await delay(5);
    const tookMs = performance.now() - startedAt;
    await delay(50);
    const each = ((cpuMs(chain) - before) * 1_000) / (wanted * events);
    rows.push([String(wanted), ...resting, each.toFixed(1), tookMs.toFixed(0)]);
  }
  printTable(rows);
}

if (values.help) process.stdout.write(usage);
else {
  const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-scale-'));
  const chain = await runChain(dataDir, ['--secure-port', values['secure-port'], ...positionals]);
  const client = new Client(dataDir, Number(values['secure-port']), Number(values.writers));
  try {
    await growObjects(chain, client);
    process.stdout.write('\n');
    await growWatches(chain, client);
  } finally {
    client.close();
    await chain.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  // Watches that are open hold the process.
  process.exit();
}
