import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from './requests/client.ts';
import { callFor, cost, type Cost } from './requests/measure.ts';
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
const configMaps = '/api/v1/namespaces/default/configmaps';
const things = '/apis/bench.example.com/v1/namespaces/default/things';
const payload = 'x'.repeat(700);
const configMap = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { text: payload },
  });
const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
});

async function prepare(client: Client): Promise<void> {
  const objects = Number(values.objects);
  for (let from = 0; from < objects; from += connections) {
    await Promise.all(
      Array.from({ length: Math.min(connections, objects - from) }, (_, index) =>
        client.call('POST', configMaps, configMap(`object-${from + index}`)),
      ),
    );
  }
  await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await until(() =>
    client.call(
      'POST',
      things,
      JSON.stringify({
        apiVersion: 'bench.example.com/v1',
        kind: 'Thing',
        metadata: { name: 'thing' },
        spec: { text: payload },
      }),
    ),
  );
}

/** A new custom resource is served a moment after its definition was accepted. */
async function until(call: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await call();
      return;
    } catch (error) {
      if (tries > 100) throw error;
      await delay(50);
    }
  }
}

/** Watches follow a number of writes; an operation is one event that one watch has received. */
async function watch(client: Client, run: string): Promise<number> {
  const watches = Number(values.watches);
  const writes = 50;
  let events = 0;
  const streams = await Promise.all(
    Array.from({ length: watches }, async () => {
      const stream = await client.stream(`${configMaps}?watch=true&resourceVersion=0&labelSelector=watched%3D${run}`);
      stream.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) events++;
      });
      stream.on('error', () => undefined);
      return stream;
    }),
  );
  for (let write = 0; write < writes; write++)
    await client.call(
      'POST',
      configMaps,
      configMap(`watched-${run}-${write}`).replace('"app":"bench"', `"watched":"${run}"`),
    );
  for (let waited = 0; events < watches * writes && waited < 200; waited++) await delay(20);
  for (const stream of streams) stream.destroy();
  if (events !== watches * writes) throw new TypeError(`${events} of ${watches * writes} events came`);
  return events;
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
        client.call('PATCH', nameOf(index), `{"data":{"count":"${index}"}}`, 'application/merge-patch+json'),
      ),
    ],
    [
      'APPLY',
      repeated((index) =>
        client.call(
          'PATCH',
          `${nameOf(index)}?fieldManager=bench&force=true`,
          changed(index),
          'application/apply-patch+yaml',
        ),
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
    if (new RegExp(values.only).test(watched)) costs.set(watched, await cost(chain, () => watch(client, run)));
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
