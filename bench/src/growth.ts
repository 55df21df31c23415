import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchersIn, type Launcher } from './compare/launchers.ts';
import { Client } from './requests/client.ts';
import { untilServed } from './requests/objects.ts';
import { manyClients } from './growth/clients.ts';
import { manyDefinitions, watchesOfManyResources } from './growth/definitions.ts';
import { largeObjects } from './growth/large-objects.ts';
import { manyNamespaces } from './growth/namespaces.ts';
import { manyObjects } from './growth/objects.ts';
import { plotOf, type Result } from './growth/result.ts';
import { missedBounds, type GrowthRow, type Subject } from './growth/growth-row.ts';
import { watchesOfOneResource } from './growth/watches.ts';
import { plotSVG } from './growth/plot.ts';

const usage = `Usage: node bench/src/growth.ts [flags]

How what things cost grows with their number: watches, CRDs, objects, namespaces, large objects, clients. Each row has a
server of its own, which grows from size to size. Linux only.

  --reference DIR  kube-apiserver and etcd of that directory grow as well
  --only REGEX     rows whose name matches
  --most N         leaves out sizes above it
  --port N         and the next ones (default 17543)
  --write          puts results and pictures into docs/images
  --check          exits with 1 when a row of the chain misses a bound
`;

const rows: readonly GrowthRow[] = [
  watchesOfOneResource,
  manyDefinitions,
  watchesOfManyResources,
  manyObjects,
  manyNamespaces,
  largeObjects,
  manyClients,
];
const { values } = parseArgs({
  options: {
    reference: { type: 'string' },
    only: { type: 'string', default: '' },
    most: { type: 'string', default: 'Infinity' },
    port: { type: 'string', default: '17543' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const images = fileURLToPath(new URL('../../docs/images', import.meta.url));
const resultsFile = join(images, 'growth.json');

/** Starts one over what `directory` has, and waits for what is made after a start. */
async function subjectOf(launcher: Launcher, directory: string): Promise<Subject> {
  const contender = await launcher.start(directory);
  const client = new Client(contender.dataDir, contender.port, 32);
  await untilServed(() => client.call('GET', '/api/v1/namespaces/default'));
  return {
    contender,
    client,
    restart: async () => {
      client.close();
      await contender.stop();
      return subjectOf(launcher, directory);
    },
  };
}

async function measure(row: GrowthRow, launcher: Launcher, place: string): Promise<Result> {
  mkdirSync(place);
  const running: Subject[] = [];
  const follow = (subject: Subject): Subject => {
    running[0] = subject;
    return { ...subject, restart: async () => follow(await subject.restart()) };
  };
  const result: Result = { row: row.name, of: launcher.name, points: [] };
  try {
    const sizes = row.sizes.filter((size) => size <= Number(values.most));
    await row.grow(follow(await subjectOf(launcher, place)), sizes, (point) => {
      result.points.push(point);
      process.stdout.write(`${row.name}, ${launcher.name}: ${JSON.stringify(point)}\n`);
    });
    return result;
  } finally {
    running[0]?.client.close();
    await running[0]?.contender.stop();
    rmSync(place, { recursive: true, force: true });
  }
}

/** Results that are kept, with those of this run in the place of earlier ones, and their pictures. */
function write(measured: readonly Result[]): void {
  const isNew = ({ of, row }: Result): boolean => measured.some((one) => one.row === row && one.of === of);
  const kept = (JSON.parse(readFileSync(resultsFile, 'utf8')) as Result[]).filter((one) => !isNew(one));
  const results = [...kept, ...measured];
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  for (const row of rows) {
    const plot = plotOf(row, results);
    if (plot !== undefined) writeFileSync(join(images, `growth-${row.name}.svg`), plotSVG(plot));
  }
}

async function run(directory: string): Promise<void> {
  const launchers = launchersIn(directory, {
    port: Number(values.port),
    allInOne: false,
    ...(values.reference === undefined ? {} : { reference: values.reference }),
  });
  // Its certificates are the reference's as well.
  if (launchers.length > 1) await (await launchers[0]!.start(join(directory, launchers[0]!.name))).stop();
  const results: Result[] = [];
  for (const row of rows.filter(({ name }) => new RegExp(values.only).test(name)))
    for (const launcher of launchers) {
      const result = await measure(row, launcher, join(directory, `${row.name}-${launcher.name}`));
      results.push(result);
      if (!values.check || launcher !== launchers[0]) continue;
      const missed = missedBounds(row, result.points);
      for (const line of missed) process.stdout.write(`MISSED ${line}\n`);
      if (missed.length > 0) process.exitCode = 1;
    }
  if (values.write) write(results);
}

if (values.help) process.stdout.write(usage);
else {
  const directory = mkdtempSync(join(tmpdir(), 'kubechain-growth-'));
  try {
    await run(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
