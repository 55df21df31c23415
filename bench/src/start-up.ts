import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runChain } from './start-up/run-chain.ts';
import type { ProcessUsage } from './start-up/process-usage.ts';
import { printTable } from './storage/table.ts';

const usage = `Usage: node bench/src/start-up.ts [flags]

Starts the whole chain as users do, with an empty data directory and with one that is there, and prints medians:
wall time, processor time and memory of each process when all are ready, and memory after a rest. Linux only.

  --runs N         starts of each kind (default 5)
  --secure-port N  (default 17443)
  --rest N         seconds before memory is read again (default 2)
  --sources        runs the sources even when there is a bundle of them
`;

interface Run {
  readonly readyMs: number;
  readonly processMs: ReadonlyMap<string, number>;
  readonly ready: ReadonlyMap<string, ProcessUsage>;
  readonly rested: ReadonlyMap<string, ProcessUsage>;
}

async function start(dataDir: string, port: string, restMs: number): Promise<Run> {
  const chain = await runChain(dataDir, ['--secure-port', port]);
  try {
    const ready = chain.usage();
    await delay(restMs);
    return { readyMs: chain.readyMs, processMs: chain.processMs, ready, rested: chain.usage() };
  } finally {
    await chain.stop();
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function report(title: string, runs: readonly Run[]): void {
  const names = [...runs[0]!.ready.keys()];
  const of = (read: (run: Run) => number | undefined): string =>
    median(runs.map((run) => read(run) ?? Number.NaN)).toFixed(0);
  const total = (runs_: readonly Run[]): string =>
    median(runs_.map(({ ready }) => [...ready.values()].reduce((sum, { cpuMs }) => sum + cpuMs, 0))).toFixed(0);
  printTable([
    [title, 'wall ms', 'CPU ms', 'RSS MB', 'RSS MB at rest', ''],
    ...names.map((name) => [
      name,
      of((run) => (name === 'kubechain' ? run.readyMs : run.processMs.get(name))),
      of((run) => run.ready.get(name)?.cpuMs),
      of((run) => (run.ready.get(name)?.rssBytes ?? 0) / 1e6),
      of((run) => (run.rested.get(name)?.rssBytes ?? 0) / 1e6),
      '',
    ]),
    [
      'all',
      of((run) => run.readyMs),
      total(runs),
      '',
      '',
      `from ${Math.min(...runs.map(({ readyMs }) => readyMs))} to ` +
        `${Math.max(...runs.map(({ readyMs }) => readyMs))} ms`,
    ],
  ]);
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    'secure-port': { type: 'string', default: '17443' },
    rest: { type: 'string', default: '2' },
    sources: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
} else {
  if (values.sources) process.env['KUBECHAIN_BUNDLE'] = 'off';
  const runs = Number(values.runs);
  const restMs = Number(values.rest) * 1000;
  const fresh: Run[] = [];
  const existing: Run[] = [];
  for (let run = 0; run < runs; run++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-bench-'));
    try {
      fresh.push(await start(dataDir, values['secure-port'], restMs));
      existing.push(await start(dataDir, values['secure-port'], restMs));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  report('empty data directory', fresh);
  process.stdout.write('\n');
  report('existing data directory', existing);
}
