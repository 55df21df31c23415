import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { definition, objectOf } from './crds/definition.ts';
import { Client } from './requests/client.ts';
import type { ProcessUsage } from './start-up/process-usage.ts';
import { runChain } from './start-up/run-chain.ts';
import { printTable } from './storage/table.ts';

const usage = `Usage: node bench/src/crds.ts [flags]

Installs many CRDs, each followed by its first object, which is sent again until it is accepted. Prints the time from a
CRD's request to its object's answer, the time for all, and the memory and processor time of each process. Linux only.

  --crds N         (default 1000)
  --connections N  CRDs that are installed side by side (default 4)
  --fields N       fields of each schema, one rule on every tenth (default 60)
  --secure-port N  (default 17443)
  --check          exit with 1 when a figure misses its bound
`;

/**
 * Times are twice what a machine of two cores shows; they are held to without the time that apiextensions, which all
 * wait for, has waited for a processor that other work had.
 *
 * 897 MB were seen on a busy machine since each process has a watchdog's thread (some 5 MB each); 717 to 819 before.
 */
const bounds = {
  seconds: 60,
  medianMs: 150,
  tailMs: 500,
  processorMsForEach: 50,
  megabytes: 950,
  kilobytesForEach: 450,
};

const { values } = parseArgs({
  options: {
    crds: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '4' },
    fields: { type: 'string', default: '60' },
    'secure-port': { type: 'string', default: '17443' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const nothing: ProcessUsage = { cpuMs: 0, rssBytes: 0, mainRunMs: 0, mainWaitMs: 0 };

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

/** By how much a process took longer than it would with a processor of its own. */
function slowdownOf(before: ProcessUsage, after: ProcessUsage): number {
  const runMs = after.mainRunMs - before.mainRunMs;
  return runMs === 0 ? 1 : 1 + (after.mainWaitMs - before.mainWaitMs) / runMs;
}

/** Says which figures miss their bounds. Those of all CRDs are for the default number of them. */
function check(figures: typeof bounds): void {
  for (const [name, bound] of Object.entries(bounds)) {
    const figure = figures[name as keyof typeof bounds];
    if (figure <= bound) continue;
    process.stdout.write(`${name}: ${figure.toFixed(0)}, at most ${bound}\n`);
    process.exitCode = 1;
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
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < count) waits.push(await install(client, next++));
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    await delay(3000);
    const after = chain.usage();
    const sorted = waits.toSorted((a, b) => a - b);
    process.stdout.write(
      `${count} CRDs in ${seconds.toFixed(1)} s; first object accepted after ` +
        `${sorted[count >> 1]?.toFixed(0)} ms (median), ${sorted[Math.floor(count * 0.99)]?.toFixed(0)} ms ` +
        `(99th percentile)\n\n`,
    );
    const all = (usages: typeof before): ProcessUsage =>
      [...usages.values()].reduce(
        (sum, { cpuMs, rssBytes }) => ({ ...sum, cpuMs: sum.cpuMs + cpuMs, rssBytes: sum.rssBytes + rssBytes }),
        nothing,
      );
    const row = (name: string, earlier: ProcessUsage, later: ProcessUsage): string[] => {
      const growth = (later.rssBytes - earlier.rssBytes) / 1e3 / count;
      return [
        name,
        (earlier.rssBytes / 1e6).toFixed(0),
        (later.rssBytes / 1e6).toFixed(0),
        growth.toFixed(0),
        ((later.cpuMs - earlier.cpuMs) / count).toFixed(1),
        '',
      ];
    };
    printTable([
      ['', 'RSS MB before', 'after', 'KB a CRD', 'processor ms a CRD', ''],
      ...[...after].map(([name, usage]) => row(name, before.get(name) ?? nothing, usage)),
      row('all', all(before), all(after)),
    ]);
    const slowdown = slowdownOf(before.get('apiextensions') ?? nothing, after.get('apiextensions') ?? nothing);
    process.stdout.write(
      `\napiextensions waited for a processor ${(slowdown - 1).toFixed(1)} times as long as it ran\n`,
    );
    if (values.check) {
      check({
        seconds: seconds / slowdown,
        medianMs: (sorted[count >> 1] ?? 0) / slowdown,
        tailMs: (sorted[Math.floor(count * 0.99)] ?? 0) / slowdown,
        processorMsForEach: (all(after).cpuMs - all(before).cpuMs) / count,
        megabytes: all(after).rssBytes / 1e6,
        kilobytesForEach: (all(after).rssBytes - all(before).rssBytes) / 1e3 / count,
      });
    }
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
