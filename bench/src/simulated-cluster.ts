import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Deployment } from '@kubechain/apimachinery/types/apps/v1';
import { Client, Http2Transport, loadKubeconfig, resources } from '@kubechain/controllers';
import { runChain, type RunningChain } from './start-up/run-chain.ts';
import type { ProcessUsage } from './start-up/process-usage.ts';
import { printTable } from './storage/table.ts';

const usage = `Usage: node bench/src/simulated-cluster.ts [flags] [-- flags of kubechain up]

Starts a chain with played nodes, makes deployments, and prints how long it takes until all nodes are ready and all
pods run, what each process uses for that, and what it uses when nothing happens any more. Linux only.

  --nodes N         nodes (default 1000)
  --pods N          pods (default 20000)
  --deployments N   deployments that make them (default 20)
  --rest N          seconds that are measured at the end (default 30)
  --secure-port N   (default 17444)
`;

const pollMs = 500;
const namespace = 'default';

type Usages = ReadonlyMap<string, ProcessUsage>;

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await delay(pollMs);
}

function report(
  title: string,
  { before, chain, startedMs }: { readonly before: Usages; readonly chain: RunningChain; readonly startedMs: number },
): Usages {
  const tookMs = performance.now() - startedMs;
  const after = chain.usage();
  const rows = [...after].map(([name, { cpuMs, rssBytes }]) => {
    const ownMs = cpuMs - (before.get(name)?.cpuMs ?? 0);
    return { name, ownMs, rssBytes };
  });
  const row = (name: string, ownMs: number, rssBytes: number): string[] => [
    name,
    (ownMs / 1000).toFixed(1),
    `${((100 * ownMs) / tookMs).toFixed(1)} %`,
    (rssBytes / 1e6).toFixed(0),
  ];
  printTable([
    [`${title}: ${(tookMs / 1000).toFixed(1)} s`, 'CPU s', 'of a core', 'RSS MB'],
    ...rows.map(({ name, ownMs, rssBytes }) => row(name, ownMs, rssBytes)),
    row(
      'all',
      rows.reduce((sum, { ownMs }) => sum + ownMs, 0),
      rows.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    ),
  ]);
  return after;
}

function deployment(index: number, replicas: number): Deployment {
  const name = `load-${index}`;
  return {
    metadata: { namespace, name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      // All at once: nothing is there that could be disturbed.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '100%' } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'c', image: 'web:1', resources: { requests: { cpu: '100m', memory: '64Mi' } } }] },
      },
    },
  } as Deployment;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nodes: { type: 'string', default: '1000' },
    pods: { type: 'string', default: '20000' },
    deployments: { type: 'string', default: '20' },
    rest: { type: 'string', default: '30' },
    'secure-port': { type: 'string', default: '17444' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const [nodes, pods, deployments] = [Number(values.nodes), Number(values.pods), Number(values.deployments)];
const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-bench-'));
let startedMs = performance.now();
const chain = await runChain(
  dataDir,
  ['--secure-port', values['secure-port'], '--nodes', String(nodes), ...positionals],
  { controllers: '*' },
);
const config = await loadKubeconfig(join(dataDir, 'admin.kubeconfig'));
const transport = new Http2Transport(config);
const client = new Client({ transport, userAgent: 'kubechain-bench' });
try {
  await until(async () => {
    const { items } = await client.resource(resources.nodes).listAll();
    return (
      items.filter(
        ({ spec, status }) =>
          (spec?.taints ?? []).length === 0 &&
          status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
      ).length === nodes
    );
  });
  await until(() =>
    client
      .resource(resources.serviceaccounts)
      .get({ namespace, name: 'default' })
      .then(
        () => true,
        () => false,
      ),
  );
  let before = report(`${nodes} nodes ready`, { chain, before: new Map(), startedMs });
  startedMs = performance.now();
  for (let index = 0; index < deployments; index++)
    await client.resource(resources.deployments).create(deployment(index, Math.floor(pods / deployments)));
  await until(async () => {
    const { items } = await client.resource(resources.deployments).list({ namespace });
    const available = items.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0);
    process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${available} pods\r`);
    return available === Math.floor(pods / deployments) * deployments;
  });
  before = report(`${pods} pods running`, { chain, before, startedMs });
  await delay(10_000);
  before = chain.usage();
  startedMs = performance.now();
  await delay(Number(values.rest) * 1000);
  report('at rest', { chain, before, startedMs });
} finally {
  transport.close();
  await chain.stop();
  rmSync(dataDir, { recursive: true });
}
