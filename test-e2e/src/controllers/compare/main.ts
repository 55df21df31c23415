/**
 * Plays what users do with workloads twice, with the controllers of this repository and with a kube-controller-manager,
 * on the same servers, scheduler and played nodes, and shows how the objects and the events in the end differ.
 *
 *   node test-e2e/src/controllers/compare/main.ts --reference PATH [--lifecycle] [--scenario REGEX] [--verbose]
 *                                                   [--record FILE]
 *
 * `--lifecycle` plays what a cluster does by itself instead: namespaces, garbage, accounts, endpoints, volumes.
 * `--record` keeps what the kube-controller-manager did, for workloads.e2e.ts and lifecycle.e2e.ts.
 *
 * The exit code is 1 where something differs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allControllers, resources, type Client } from '@kubechain/controllers';
import { eventually, startLiveCluster } from '../live-cluster.ts';
import { difference, isNotOfNodes, isTelling } from './difference.ts';
import { lifecycleScenarios } from './lifecycle-scenarios.ts';
import { lifecycleKinds, observe, workloadKinds } from './observe.ts';
import { scenarios, type Scenario } from './scenarios.ts';

const { values } = parseArgs({
  options: {
    reference: { type: 'string' },
    scenario: { type: 'string', default: '' },
    lifecycle: { type: 'boolean', default: false },
    verbose: { type: 'boolean' },
    record: { type: 'string' },
  },
});
const { reference } = values;
if (reference === undefined) {
  process.stderr.write('compare: --reference PATH of a kube-controller-manager is missing\n');
  process.exit(1);
}
const { lifecycle } = values;
const chosen = (lifecycle ? lifecycleScenarios : scenarios).filter(({ name }) =>
  new RegExp(values.scenario).test(name),
);
const compared = allControllers()
  .filter(({ group, name, onByDefault }) =>
    lifecycle
      ? (group === 'lifecycle' && onByDefault) || group === 'storage' || name === 'disruption-controller'
      : group === 'workloads' ||
        ['resourcequota-controller', 'node-lifecycle-controller', 'taint-eviction-controller'].includes(name),
  )
  .map(({ name }) => name);
const shared = [
  'kube-scheduler',
  'node-simulator',
  'volume-simulator',
  ...(lifecycle
    ? []
    : [
        'persistentvolume-binder-controller',
        'persistentvolumeclaim-protection-controller',
        'serviceaccount',
        'garbagecollector',
      ]),
];

type Observed = ReadonlyMap<string, ReadonlyMap<string, number>>;

async function observeAll(program: string | undefined): Promise<Observed> {
  const cluster = await startLiveCluster({
    controllers: program === undefined ? [...shared, ...compared] : shared,
    controllerFlags: (defaults) => ({ ...defaults, simulation: { ...defaults.simulation, nodes: 3 } }),
  });
  const manager =
    program === undefined ? undefined : startManager(program, cluster.env.kubeconfig, cluster.env.dataDir);
  try {
    const found = new Map<string, ReadonlyMap<string, number>>();
    await Promise.all(
      chosen.map(async (scenario, i) => found.set(scenario.name, await playOne(cluster.client, scenario, `s${i}`))),
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
  return settled(() => observe(client, namespace, lifecycle ? lifecycleKinds : workloadKinds));
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
    [...(theirs.get(name) ?? [])]
      .filter(([line]) => (lifecycle ? isNotOfNodes : isTelling)(line))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
  writeFileSync(values.record, `${JSON.stringify(Object.fromEntries(kept), undefined, 1)}\n`);
}
const ours = await observeAll(undefined);
let differing = 0;
for (const { name } of chosen) {
  const lines = difference(ours.get(name) ?? new Map(), theirs.get(name) ?? new Map());
  process.stdout.write(
    `${lines.length === 0 ? 'same' : 'DIFFERS'}  ${name}\n${lines.map((line) => `  ${line}\n`).join('')}`,
  );
  if (lines.length > 0) differing++;
}
process.stdout.write(`${chosen.length - differing} of ${chosen.length} scenarios end alike\n`);
process.exitCode = differing === 0 ? 0 : 1;
