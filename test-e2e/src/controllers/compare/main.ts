/**
 * Plays what users do with workloads twice, with the controllers of this repository and with a kube-controller-manager,
 * on the same servers, scheduler and played nodes, and shows how the objects and the events in the end differ.
 *
 *   node test-e2e/src/controllers/compare/main.ts --reference PATH [--play NAME] [--scenario REGEX] [--all] [--verbose]
 *                                                   [--record FILE]
 *
 * `--play` is one of plays.ts: `workloads` (the default), `lifecycle` (what a cluster does by itself), `autoscaling`,
 * `cleaning`, `attaching` (volumes and devices that pods have).
 * `--all` shows differences too that tests do not look at.
 * `--record` keeps what the kube-controller-manager did, for end-to-end tests: with `--scenario`, beside what the file
 * has of others.
 *
 * The exit code is 1 where something differs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resources, type Client } from '@kubechain/controllers';
import { eventually } from '../live-cluster.ts';
import { difference } from './difference.ts';
import { observe } from './observe.ts';
import { plays, type Play } from './plays.ts';
import type { Scenario } from './scenarios.ts';
import { simulated, startPlay } from './start-play.ts';
import { helpFrom } from '../../harness/help.ts';

helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    reference: { type: 'string' },
    play: { type: 'string', default: 'workloads' },
    scenario: { type: 'string', default: '' },
    all: { type: 'boolean' },
    verbose: { type: 'boolean' },
    record: { type: 'string' },
  },
});
const { reference } = values;
if (reference === undefined) {
  process.stderr.write('compare: --reference PATH of a kube-controller-manager is missing\n');
  process.exit(1);
}
const found = (plays as Readonly<Record<string, Play>>)[values.play];
if (found === undefined) {
  process.stderr.write(`compare: --play must be one of ${Object.keys(plays).join(', ')}\n`);
  process.exit(1);
}
const play: Play = found;
const { besides, compared, isCompared, kinds, referenceFlags = [] } = play;
const chosen = play.scenarios.filter(({ name }) => new RegExp(values.scenario).test(name));
const shared = [...simulated, ...besides];

type Observed = ReadonlyMap<string, ReadonlyMap<string, number>>;

async function observeAll(program: string | undefined): Promise<Observed> {
  const cluster = await startPlay(play, program === undefined ? [...shared, ...compared] : shared);
  const manager =
    program === undefined ? undefined : startManager(program, cluster.env.kubeconfig, cluster.env.dataDir);
  try {
    const found = new Map<string, ReadonlyMap<string, number>>();
    await Promise.all(
      // Of all scenarios, so that a recording of one is as those of all.
      chosen.map(async (scenario) => {
        const namespace = `s${play.scenarios.indexOf(scenario)}`;
        found.set(scenario.name, await playOne(cluster.client, scenario, namespace));
      }),
    );
    return found;
  } catch (error) {
    process.stderr.write(`${cluster.env.logs().slice(-10_000)}\n`);
    throw error;
  } finally {
    if (manager !== undefined && manager.exitCode === null) {
      manager.kill();
      await once(manager, 'exit');
    }
    await cluster.stop();
  }
}

function startManager(program: string, kubeconfig: string, directory: string) {
  const log = createWriteStream(join(directory, 'manager.log'));
  const child = spawn(
    program,
    [
      `--kubeconfig=${kubeconfig}`,
      `--controllers=${compared.join(',')}`,
      '--leader-elect=false',
      '--secure-port=0',
      '-v=2',
      `--root-ca-file=${join(directory, 'pki/ca.crt')}`,
      `--service-account-private-key-file=${join(directory, 'pki/sa.key')}`,
      `--cluster-signing-cert-file=${join(directory, 'pki/ca.crt')}`,
      `--cluster-signing-key-file=${join(directory, 'pki/ca.key')}`,
      ...referenceFlags,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  if (values.verbose === true) child.stderr.pipe(process.stderr);
  return child;
}

async function playOne(client: Client, scenario: Scenario, namespace: string): Promise<ReadonlyMap<string, number>> {
  await client.resource(resources.namespaces).create({ metadata: { name: namespace } });
  await eventually(() => client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }), {
    withinMs: 60_000,
  });
  try {
    await scenario.play({ client, namespace });
  } catch (error) {
    process.stderr.write(`${scenario.name}: ${String(error)}\n`);
  }
  return settled(() => observe(client, namespace, kinds));
}

/** What is observed when nothing has changed for a while. */
async function settled(look: () => Promise<ReadonlyMap<string, number>>): Promise<ReadonlyMap<string, number>> {
  const quietMs = 3_000;
  const longestMs = 30_000;
  const startedMs = performance.now();
  let last = await look();
  let sinceMs = performance.now();
  while (performance.now() - sinceMs < quietMs && performance.now() - startedMs < longestMs) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const next = await look();
    if (JSON.stringify([...next]) !== JSON.stringify([...last])) sinceMs = performance.now();
    last = next;
  }
  return last;
}

const theirs = await observeAll(reference);
if (values.record !== undefined) {
  const kept = chosen.map(({ name }) => [
    name,
    [...(theirs.get(name) ?? [])].filter(([line]) => isCompared(line)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
  const before = existsSync(values.record) ? (JSON.parse(readFileSync(values.record, 'utf8')) as object) : {};
  const all: Readonly<Record<string, unknown>> = { ...before, ...Object.fromEntries(kept) };
  const known = play.scenarios.flatMap(({ name }) => (all[name] === undefined ? [] : [[name, all[name]]]));
  writeFileSync(values.record, `${JSON.stringify(Object.fromEntries(known), undefined, 1)}\n`);
}
const ours = await observeAll(undefined);
let differing = 0;
for (const { name } of chosen) {
  const lines = difference(ours.get(name) ?? new Map(), theirs.get(name) ?? new Map()).filter(
    (line) => values.all === true || isCompared(line.slice(2)),
  );
  process.stdout.write(
    `${lines.length === 0 ? 'same' : 'DIFFERS'}  ${name}\n${lines.map((line) => `  ${line}\n`).join('')}`,
  );
  if (lines.length > 0) differing++;
}
process.stdout.write(`${chosen.length - differing} of ${chosen.length} scenarios end alike\n`);
process.exitCode = differing === 0 ? 0 : 1;
