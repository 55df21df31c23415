/**
 * Plays scheduling scenarios twice, with a kube-scheduler and with the scheduler of this repository, and shows how
 * pods, their conditions and the events about them differ.
 *
 *   node test-e2e/src/controllers/compare/scheduling.ts --reference PATH [--scenario REGEX] [--record FILE] [--theirs]
 *
 * `--record` keeps what the kube-scheduler did, for end-to-end tests. `--theirs` prints it and ends.
 * The exit code is 1 where something differs.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { playScheduling, startScheduling } from './play-scheduling.ts';
import { schedulingScenarios } from './scheduling-scenarios.ts';
import { helpFrom } from '../../harness/help.ts';

helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    reference: { type: 'string' },
    scenario: { type: 'string', default: '' },
    record: { type: 'string' },
    theirs: { type: 'boolean' },
  },
});
const { reference } = values;
if (reference === undefined) {
  process.stderr.write('scheduling: --reference PATH of a kube-scheduler is missing\n');
  process.exit(1);
}
const chosen = schedulingScenarios.filter(({ name }) => new RegExp(values.scenario).test(name));

type Ends = ReadonlyMap<string, readonly string[]>;

async function playAll(program: string | undefined, others?: Ends): Promise<Ends> {
  const cluster = await startScheduling(program === undefined ? ['kube-scheduler'] : []);
  let scheduler: ChildProcess | undefined;
  if (program !== undefined) {
    const log = openSync(join(cluster.env.dataDir, 'scheduler.log'), 'a');
    const flags = [`--kubeconfig=${cluster.env.kubeconfig}`, '--leader-elect=false', '--secure-port=0', '-v=2'];
    scheduler = spawn(program, flags, { stdio: ['ignore', log, log] });
  }
  const found = new Map<string, readonly string[]>();
  try {
    for (const [i, scenario] of chosen.entries()) {
      try {
        found.set(
          scenario.name,
          await playScheduling(cluster, scenario, { number: i, expected: others?.get(scenario.name) }),
        );
      } catch (error) {
        process.stderr.write(`${String(error)}\n${String((error as Error).cause)}\n`);
      }
    }
    return found;
  } finally {
    if (scheduler !== undefined && scheduler.exitCode === null) {
      scheduler.kill();
      await once(scheduler, 'exit');
    }
    await cluster.stop();
  }
}

const theirs = await playAll(reference);
if (values.record !== undefined)
  writeFileSync(values.record, `${JSON.stringify(Object.fromEntries(theirs), undefined, 1)}\n`);
if (values.theirs === true) {
  process.stdout.write(`${JSON.stringify(Object.fromEntries(theirs), undefined, 1)}\n`);
  process.exit(0);
}
const ours = await playAll(undefined, theirs);
let differing = 0;
for (const { name } of chosen) {
  const [here, there] = [ours.get(name) ?? [], theirs.get(name) ?? []];
  const lines = [
    ...here.filter((line) => !there.includes(line)).map((line) => `+ ${line}`),
    ...there.filter((line) => !here.includes(line)).map((line) => `- ${line}`),
  ];
  process.stdout.write(
    `${lines.length === 0 ? 'same' : 'DIFFERS'}  ${name}\n${lines.map((line) => `  ${line}\n`).join('')}`,
  );
  if (lines.length > 0) differing++;
}
process.stdout.write(`${chosen.length - differing} of ${chosen.length} scenarios end alike\n`);
process.exitCode = differing === 0 ? 0 : 1;
