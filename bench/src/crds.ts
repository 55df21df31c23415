import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { definition, objectOf } from './crds/definition.ts';
import { Client } from './requests/client.ts';
import { runChain } from './start-up/run-chain.ts';
import { printTable } from './storage/table.ts';

const usage = `Usage: node bench/src/crds.ts [flags]

Installs many CRDs, each followed by its first object, which is sent again until it is accepted. Prints the time from a
CRD's request to its object's answer, the time for all, and the memory of each process before and after. Linux only.

  --crds N         (default 1000)
  --connections N  CRDs that are installed side by side (default 4)
  --fields N       fields of each schema, one rule on every tenth (default 60)
  --secure-port N  (default 17443)
`;

const { values } = parseArgs({
  options: { crds: { type: 'string', default: '1000' }, connections: { type: 'string', default: '4' }, fields: { type: 'string', default: '60' }, 'secure-port': { type: 'string', default: '17443' }, help: { type: 'boolean', default: false } },
});

/** Milliseconds until the first object of a new CRD was accepted. */
async function install(client: Client, index: number): Promise<number> {
  const startedAt = performance.now();
  const { group, plural, text } = definition(index, Number(values.fields));
  await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', text);
  for (;;) {
    try {
      await client.call('POST', `/apis/${group}/v1/namespaces/default/${plural}`, objectOf(index));
      return performance.now() - startedAt;
    } catch (error) {
      if (performance.now() - startedAt > 10_000) throw error;
      await delay(2);
    }
  }
}

async function run(dataDir: string): Promise<void> {
  const port = Number(values['secure-port']);
  const connections = Number(values.connections);
  const chain = await runChain(dataDir, ['--secure-port', String(port)]);
  const client = new Client(dataDir, port, connections);
  try {
    await delay(1000);
    const before = chain.usage();
    const count = Number(values.crds);
    const waits: number[] = [];
    const startedAt = performance.now();
    let next = 0;
    await Promise.all(Array.from({ length: connections }, async () => { while (next < count) waits.push(await install(client, next++)); }));
    const seconds = (performance.now() - startedAt) / 1000;
    await delay(3000);
    const after = chain.usage();
    const sorted = waits.toSorted((a, b) => a - b);
    process.stdout.write(`${count} CRDs in ${seconds.toFixed(1)} s; first object accepted after ${sorted[count >> 1]?.toFixed(0)} ms (median), ${sorted[Math.floor(count * 0.99)]?.toFixed(0)} ms (99th percentile)\n\n`);
    const total = (usages: typeof before): number => [...usages.values()].reduce((sum, { rssBytes }) => sum + rssBytes, 0);
    printTable([
      ['', 'RSS MB before', 'after', 'KB a CRD', ''],
      ...[...after].map(([name, { rssBytes }]) => {
        const earlier = before.get(name)?.rssBytes ?? 0;
        return [name, (earlier / 1e6).toFixed(0), (rssBytes / 1e6).toFixed(0), ((rssBytes - earlier) / 1e3 / count).toFixed(0), ''];
      }),
      ['all', (total(before) / 1e6).toFixed(0), (total(after) / 1e6).toFixed(0), ((total(after) - total(before)) / 1e3 / count).toFixed(0), ''],
    ]);
  } finally {
    client.close();
    await chain.stop();
  }
}

if (values.help) {
  process.stdout.write(usage);
} else {
  const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-bench-'));
  try {
    await run(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
