import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from './requests/client.ts';
import { fanOut } from './requests/fan-out.ts';
import { callFor, cost, type Cost } from './requests/measure.ts';
import { configMap, configMaps, defineThings, thing, things } from './requests/objects.ts';
import { makePolicies } from './requests/policies.ts';
import { runChain, type RunningChain } from './start-up/run-chain.ts';
import { printTable } from './storage/table.ts';

const usage = `Usage: node bench/src/requests.ts [flags]

Requests over TLS connections that stay open: through the whole chain, then to kube-apiserver alone on the same data.
Prints requests a second and the processor time of each process for one request. Linux only.

  --seconds N      for each operation (default 4)
  --warm-up N      seconds of each operation before it is measured (default 12): the first 20,000 requests or so run
                   code that V8 has yet to optimize, and its compiler's threads count as the process's time
  --connections N  (default 16)
  --objects N      in the list (default 500)
  --watches N      (default 200)
  --only REGEX     operations whose name matches
  --secure-port N  (default 17443)
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '12' },
    connections: { type: 'string', default: '16' },
    objects: { type: 'string', default: '500' },
    watches: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    'secure-port': { type: 'string', default: '17443' },
    help: { type: 'boolean', default: false },
  },
});
const milliseconds = Number(values.seconds) * 1000;
const warmUpMs = Number(values['warm-up']) * 1000;
const connections = Number(values.connections);
async function prepare(client: Client): Promise<void> {
  const objects = Number(values.objects);
  for (let from = 0; from < objects; from += connections) {
    await Promise.all(
      Array.from({ length: Math.min(connections, objects - from) }, (_, index) =>
        client.call('POST', configMaps, configMap(`object-${from + index}`)),
      ),
    );
  }
  await defineThings(client, thing('thing'));
}

async function measure(chain: RunningChain, run: string): Promise<Map<string, Cost>> {
  const client = new Client(chain.dataDir, Number(values['secure-port']), connections);
  const repeated =
    (call: (index: number) => Promise<unknown>) =>
    (forMs: number): Promise<number> =>
      callFor(forMs, connections, call);
  const operations: readonly (readonly [name: string, work: (forMs: number) => Promise<number>])[] = [
    ['GET', repeated(() => client.call('GET', `${configMaps}/object-1`))],
    [`LIST of ${values.objects}`, repeated(() => client.call('GET', `${configMaps}?labelSelector=app%3Dbench`))],
    [
      'CREATE',
      repeated((index) =>
        client.call(
          'POST',
          configMaps,
          configMap(`${run}-${created + index}`).replace('"app":"bench"', '"app":"other"'),
        ),
      ),
    ],
    ['UPDATE', repeated((index) => client.call('PUT', nameOf(index), changed(index)))],
    [
      'PATCH',
      repeated((index) =>
        client.call('PATCH', nameOf(index), `{"data":{"count":"${index}"}}`, {
          'Content-Type': 'application/merge-patch+json',
        }),
      ),
    ],
    [
      'APPLY',
      repeated((index) =>
        client.call('PATCH', `${nameOf(index)}?fieldManager=bench&force=true`, changed(index), {
          'Content-Type': 'application/apply-patch+yaml',
        }),
      ),
    ],
    [
      'UPDATE under six policies',
      async (forMs) => {
        const remove = await makePolicies(client);
        try {
          return await callFor(forMs, connections, (index) => client.call('PUT', nameOf(index), changed(index)));
        } finally {
          await remove();
        }
      },
    ],
    ...(run === 'chain'
      ? [['GET custom resource', repeated(() => client.call('GET', `${things}/thing`))] as const]
      : []),
  ];
  /** Each connection has objects of its own, so that no write has to be tried again. */
  const nameOf = (index: number): string => `${configMaps}/object-${index % 256}`;
  const changed = (index: number): string =>
    configMap(`object-${index % 256}`).replace('"text"', `"count":"${index}","text"`);
  /** Names of creates in the warm-up are not used again. */
  let created = 0;
  const costs = new Map<string, Cost>();
  try {
    if (run === 'chain') await prepare(client);
    for (const [name, work] of operations) {
      if (!new RegExp(values.only).test(name)) continue;
      created += await work(warmUpMs);
      costs.set(name, await cost(chain, () => work(milliseconds)));
    }
    const watched = `event to ${values.watches} watches`;
    if (new RegExp(values.only).test(watched))
      costs.set(
        watched,
        await cost(chain, () => fanOut(client, { run, watches: Number(values.watches), writes: 50, writers: 1 })),
      );
  } finally {
    client.close();
  }
  return costs;
}

function report(title: string, costs: ReadonlyMap<string, Cost>): void {
  const names = ['aggregator', 'kube-apiserver', 'apiextensions', 'etcd'].filter((name) =>
    [...costs.values()].some(({ cpuMicros }) => cpuMicros.has(name)),
  );
  printTable([
    [title, 'a second', ...names.map((name) => `${name} µs`), ''],
    ...[...costs].map(([name, { perSecond, cpuMicros }]) => [
      name,
      perSecond.toFixed(0),
      ...names.map((process) => (cpuMicros.get(process) ?? 0).toFixed(1)),
      '',
    ]),
  ]);
}

if (values.help) {
  process.stdout.write(usage);
} else {
  const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-bench-'));
  try {
    for (const [run, title, flags] of [
      ['chain', 'through the chain', []],
      ['alone', 'kube-apiserver alone', ['--only', 'kube-apiserver']],
    ] as const) {
      const chain = await runChain(dataDir, ['--secure-port', values['secure-port'], ...flags]);
      try {
        report(title, await measure(chain, run));
        process.stdout.write('\n');
      } finally {
        await chain.stop();
      }
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
