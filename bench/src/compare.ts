import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkBounds } from './compare/bounds.ts';
import type { Contender } from './compare/contender.ts';
import { Figures } from './compare/figure.ts';
import { measureFilled } from './compare/filled.ts';
import { allInOne, launchersIn, ours, type Launcher } from './compare/launchers.ts';
import { measureMemory } from './compare/memory.ts';
import { operations, seed, type Operation } from './compare/operations.ts';
import { figureTable, table, writeInto, type Row, type Sides } from './compare/report.ts';
import { sample, type Competing, type RoundOptions, type Sample } from './compare/round.ts';
import { measureStarts } from './compare/starts.ts';
import { Client } from './requests/client.ts';

const usage = `Usage: node bench/src/compare.ts [flags]

What requests cost this checkout's chain beside others, in turns: processor time of all processes for one request, and
requests a second, as ratios of each round; with --reference also starts, the first requests after them, and memory, of
both topologies. Linux only.

  --reference DIR  kube-apiserver and etcd of that directory (etcd may be on the PATH instead)
  --baseline DIR   the chain of another checkout, with what it needs installed
  --all-in-one     store and servers in one process take part, too (with --reference they do)
  --starts N       rounds of starts (default 3 with --reference, otherwise 0)
  --rounds N       (default 5)
  --seconds N      of each operation in a round (default 3)
  --warm-up N      seconds of each operation before the rounds (default 8)
  --only REGEX     operations whose name matches
  --port N         and the next ones (default 17443)
  --write          puts the table into docs/performance.md
  --check          exits with 1 when the best round of an operation is above its bound, and still is when it is
                   measured again
`;

const { values } = parseArgs({
  options: {
    reference: { type: 'string' },
    baseline: { type: 'string' },
    'all-in-one': { type: 'boolean', default: false },
    starts: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    port: { type: 'string', default: '17443' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const milliseconds = Number(values.seconds) * 1000;
const wanted = operations.filter(({ name }) => new RegExp(values.only).test(name));
const document = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const withReference = values.reference !== undefined;
const startRounds = Number(values.starts ?? (withReference ? 3 : 0));

/** Starts all; each is in `contenders` as soon as it runs, so that it can be stopped. */
async function start(directory: string, launchers: readonly Launcher[], contenders: Contender[]): Promise<void> {
  for (const launcher of launchers) contenders.push(await launcher.start(join(directory, launcher.name)));
}

async function seedAll(contenders: readonly Contender[]): Promise<void> {
  for (const contender of contenders) {
    const client = new Client(contender.dataDir, contender.port, 10);
    try {
      await seed(client);
    } finally {
      client.close();
    }
  }
}

/** Every other round goes the other way round, so that nobody is always the first after something else. */
async function measure(contenders: readonly Contender[], operation: Operation, runPrefix: string): Promise<Row> {
  const competing = contenders.map((contender): Competing => {
    const client = new Client(contender.dataDir, contender.port, 32);
    return { contender, client };
  });
  const samples = new Map(contenders.map(({ name }) => [name, [] as Sample[]]));
  try {
    const warmUpMs = Number(values['warm-up']) * 1000;
    for (const one of competing) await alone(one, operation, { milliseconds: warmUpMs, run: `${runPrefix}-warm` });
    for (let round = 0; round < Number(values.rounds); round++)
      for (const one of round % 2 === 0 ? competing : competing.toReversed())
        samples
          .get(one.contender.name)!
          .push(await alone(one, operation, { milliseconds, run: `${runPrefix}-${round}` }));
  } finally {
    for (const { client } of competing) client.close();
  }
  return { name: operation.name, samples };
}

/** What has become due while a contender stood still is done within this time. */
const settleMs = 150;

/** Measures one contender while the others stand still. */
async function alone(one: Competing, operation: Operation, options: RoundOptions): Promise<Sample> {
  one.contender.resume();
  try {
    await delay(settleMs);
    return await sample(one, operation, options);
  } finally {
    one.contender.pause();
  }
}

async function run(directory: string, contenders: Contender[]): Promise<void> {
  const launchers = launchersIn(directory, {
    port: Number(values.port),
    allInOne: values['all-in-one'] || withReference,
    ...(values.baseline === undefined ? {} : { baseline: values.baseline }),
    ...(values.reference === undefined ? {} : { reference: values.reference }),
  });
  const names = launchers.map(({ name }) => name);
  const isOurs = (name: string): boolean => name === ours || name === allInOne;
  const sides: Sides = { ours: names.filter(isOurs), others: names.filter((name) => !isOurs(name)) };
  const figures = new Figures();
  const memory: string[] = [];
  if (startRounds > 0) {
    await (await launchers[0]!.start(join(directory, ours))).stop();
    await measureStarts(figures, launchers, { directory, rounds: startRounds });
    if (withReference) memory.push(...(await measureFilled(figures, launchers, directory)));
  }
  await start(directory, launchers, contenders);
  if (withReference) memory.push(...(await measureMemory(figures, contenders, 'after a start')));
  await seedAll(contenders);
  const rows: Row[] = [];
  for (const contender of contenders) contender.pause();
  for (const [i, operation] of wanted.entries()) rows.push(await measure(contenders, operation, `run-${i}`));
  for (const contender of contenders) contender.resume();
  if (withReference) memory.push(...(await measureMemory(figures, contenders, 'after all rows')));
  const text = [table(rows, sides), ...(figures.all().length > 0 ? [figureTable(figures.all(), sides)] : [])].join(
    '\n\n',
  );
  process.stdout.write(`${text}\n${memory.join('\n')}\n`);
  if (values.write) writeInto(document, text);
  if (values.check) await check(contenders, rows);
}

async function check(contenders: readonly Contender[], rows: readonly Row[]): Promise<void> {
  const ownOf = (row: Row): readonly Sample[] => row.samples.get(ours)!;
  const own = contenders.filter(({ name }) => name === ours);
  for (const contender of contenders) contender.pause();
  const { lines, missed } = await checkBounds(
    wanted.map((operation, i) => ({ operation, samples: ownOf(rows[i]!) })),
    async (operation) => ownOf(await measure(own, operation, `again-${wanted.indexOf(operation)}`)),
  );
  process.stdout.write(`${lines.join('\n')}\n`);
  if (missed > 0) process.exitCode = 1;
}

if (values.help) {
  process.stdout.write(usage);
} else {
  const directory = mkdtempSync(join(tmpdir(), 'kubechain-compare-'));
  const contenders: Contender[] = [];
  try {
    await run(directory, contenders);
  } finally {
    for (const contender of contenders.toReversed()) {
      contender.resume();
      await contender.stop();
    }
    rmSync(directory, { recursive: true, force: true });
  }
}
