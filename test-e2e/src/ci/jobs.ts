import { globSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ciTools, type GoTool } from '../harness/go-tools.ts';
import type { Job } from './job.ts';

/** How often each fault suite runs. */
const FAULT_ROUNDS = '20';
/** Limit for tests that are not known to take longer: several run at the same time on few processors. */
const TIMEOUT_MS = 120_000;

const PROGRAMS = 'programs';
const GO = 'Go';
const PACKAGES = 'packages';
const NODE = 'room for a node';
const RELEASES = 'Node releases';
const buildOf = (tool: GoTool): string => `build ${tool}`;

/** Programs of a node, which take minutes to build. */
const nodeTools: readonly GoTool[] = ['kubernetes-kubelet', 'kube-proxy'];

/** What is special about a file of tests; everything else follows from its name. */
interface FileTraits {
  /** Programs that it runs; it begins when they are built. */
  readonly tools?: readonly GoTool[];
  readonly needs?: readonly string[];
  /** Suites that run beside the rest of the file, by a part of their titles, and the programs that they run. */
  readonly apart?: Readonly<Record<string, readonly GoTool[]>>;
  readonly load?: number;
  readonly alone?: boolean;
  readonly turn?: string;
}

/** By path below the root, without `.ts`. What takes longest comes first. */
const traits: Readonly<Record<string, FileTraits>> = {
  'test-e2e/src/faults/chain-faults.e2e': {},
  'test-e2e/src/kubectl-suite/kubectl-suite.ci': { tools: ['kubectl'] },
  'test-e2e/src/kubectl/kubectl.ci': { tools: ['kubectl'], apart: { 'over a real etcd': ['kubectl'] } },
  'test-e2e/src/environment/tenants.ci': { tools: ['kubectl'] },
  'test-e2e/src/faults/chain-faults-etcd.ci': { tools: ['etcd'] },
  'test-e2e/src/custom-resources/custom-resources.ci': { apart: { 'over a real etcd': [] } },
  'test-e2e/src/helm/helm-chart.ci': {
    tools: ['helm3', 'helm4', 'kubectl'],
    apart: { 'the servers of the chart': ['helm3', 'helm4', 'kubectl'] },
  },
  'packages/shared-storage/src/faults/storage-faults.etcd-spec': { load: 0.5 },
  'test-e2e/src/faults/etcd-3.6-faults.ci': { tools: ['etcd'], load: 0.5 },
  'test-e2e/src/storage/etcd-3.6.ci': { tools: ['etcd'] },
  'test-e2e/src/clients/clients.ci': {
    tools: ['clients', 'operator'],
    apart: { fabric8: [], 'the Python client': [] },
  },
  'test-e2e/src/command/offline.ci': { tools: ['helm4', 'kubectl'] },
  'test-e2e/src/helm/helm.ci': { tools: ['helm3', 'helm4', 'kubectl'] },
  'test-e2e/src/controllers/played-cluster.ci': { tools: ['helm3', 'helm4', 'kubectl'] },
  'test-e2e/src/packages/runners.ci': {
    apart: { 'tests of mocha': [], 'tests of vitest': [], 'tests of jest': [] },
  },
  'test-e2e/src/clients/envtest.ci': {
    needs: [GO],
    apart: { 'a project of kubebuilder': ['kubebuilder', 'controller-gen'], 'kube-api-test on the JVM': [] },
  },
  'test-e2e/src/packages/examples.ci': { needs: [PACKAGES, GO] },
  // Most of it is containers that start and end.
  'test-e2e/src/clients/kubelet.ci': { tools: ['kubelet', 'kubectl'] },
  'test-e2e/src/differential/parsers.ci': { tools: ['parsers'] },
  // Most of it is waiting for pauses of clients.
  'test-e2e/src/clients/informers.ci': { tools: ['informers'], load: 0.5 },
  'test-e2e/src/aggregation/sample-apiserver.ci': { tools: ['sample-apiserver'] },
  'test-e2e/src/clients/certificates.ci': { tools: ['certificates'] },
  'test-e2e/src/custom-resources/real-crds.ci': { needs: [GO] },
  'test-e2e/src/storage/compaction.ci': { tools: ['etcd'], load: 0.5 },
  'test-e2e/src/storage/snapshots-etcd.ci': { tools: ['etcd'] },
  // Ratios of processor time, measured again before they count: other jobs beside it do no harm.
  'test-e2e/src/figures/write-figures.ci': {},
  // Bounds of processor time that others beside it do not reach.
  'test-e2e/src/figures/tenant-figures.ci': {},
  // Bounds and ratios of processor time and memory, as the last.
  'test-e2e/src/figures/growth-figures.ci': {},
  // It waits, and measures processor time: others beside it do no harm.
  'test-e2e/src/controllers/idle-cost.ci': { load: 0.25 },
  // A count: others only make it slower.
  'test-e2e/src/walk/walk.ci': {},
  // A node is silent for seconds before it is missed: beside others, one that is slow would be.
  'test-e2e/src/node/real-node-own.ci': { tools: ['kubectl', ...nodeTools], alone: true },
  // They compare a few percent of processor time, which others on the same processors change by more.
  'test-e2e/src/page/page.ci': { alone: true },
  // A browser that is told 10,000 requests a second has a processor to itself.
  'test-e2e/src/page/busy-page.ci': { alone: true, turn: 'what a page costs' },
  'test-e2e/src/page/closed-page.ci': { alone: true, turn: 'what a page costs' },
  'test-e2e/src/page/open-page.ci': { alone: true, turn: 'what a page costs' },
  // Nobody may wait longer than a second there, others on the machine included.
  'test-e2e/src/hostile/hostile.ci': { alone: true },
  'test-e2e/src/hostile/controlled.ci': { alone: true },
  'test-e2e/src/figures/request-figures.ci': { alone: true },
  'test-e2e/src/figures/storage-figures.ci': { tools: ['etcd'], alone: true },
};

/** What has to be there for tests: programs of the distribution, Go, and what is built with it. */
function preparations(): readonly Job[] {
  return [
    { name: PROGRAMS, command: ['.ci/install-programs'], load: 0.5, attempts: 3 },
    {
      name: GO,
      command: ['sh', '-c', '.ci/install-go "$KUBECHAIN_CI_BIN"'],
      needs: [PROGRAMS],
      load: 0.5,
      attempts: 3,
    },
    {
      name: RELEASES,
      command: ['node', 'test-e2e/src/packages/install-node-releases.ts'],
      load: 0.5,
      attempts: 3,
    },
    // Root, namespaces, mounts, rules: not every machine that runs this gives them.
    { name: NODE, command: ['node', 'test-e2e/src/node/room-for-node.ts'], needs: [PROGRAMS], load: 0.25, asks: true },
    // One after another: they share most packages, and one build uses all processors.
    ...ciTools.map((tool): Job => ({
      name: buildOf(tool),
      command: ['node', 'test-e2e/src/harness/build-go-tool.ts', tool],
      needs: [GO, ...(nodeTools.includes(tool) ? [NODE] : [])],
      lane: GO,
      attempts: 3,
    })),
  ];
}

/** The answers of kube-apiserver, each area on a chain of its own. */
function transcripts(root: string): readonly Job[] {
  const areas = readdirSync(join(root, 'test-e2e/transcripts'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'certs',
  );
  return areas.map(({ name }) => ({
    name: `transcripts of ${name}`,
    command: ['node', 'test-e2e/src/transcripts/run.ts', name, '--check'],
    counts: 'transcripts',
    load: 0.75,
  }));
}

/** Jobs of one file: the suites that run apart, and the rest, whatever it is. */
function jobsOf(path: string): readonly Job[] {
  const packed = path.startsWith('test-e2e/src/packages/');
  const {
    tools = [],
    needs = packed ? [PACKAGES, RELEASES] : [],
    apart = {},
    load,
    alone,
    turn,
  } = traits[path.replace(/\.ts$/, '')] ?? {};
  const plain = path.endsWith('.e2e.ts') || path.endsWith('.spec.ts');
  const name = posix.basename(path, '.ts');
  const titles = Object.keys(apart);
  const job = (part: string, builtTools: readonly GoTool[], ...args: readonly string[]): Job => ({
    name: `${name}${part}`,
    command: mochaOf([...args, path]),
    counts: 'mocha',
    again: (files) => mochaOf([...args, ...files]),
    env: { KUBECHAIN_FAULT_ROUNDS: FAULT_ROUNDS, ...(packed ? { KUBECHAIN_PACKED: '1' } : {}) },
    needs: [...(plain ? [] : [PROGRAMS]), ...needs, ...builtTools.map(buildOf)],
    ...(load === undefined ? {} : { load }),
    ...(alone === undefined ? {} : { alone }),
    ...(turn === undefined ? {} : { turn }),
  });
  if (titles.length === 0) return [job('', tools)];
  return [
    ...titles.map((title) => job(`: ${title}`, apart[title] ?? [], '--grep', title)),
    job(', the rest', tools, '--grep', titles.join('|'), '--invert'),
  ];
}

function mochaOf(args: readonly string[]): Job['command'] {
  return ['mocha', '--timeout', String(TIMEOUT_MS), ...args];
}

/** Everything that a clean checkout must pass, what tells most in the shortest time first. */
export function ciJobs(root: string): readonly Job[] {
  const patterns = [
    'test-e2e/src/faults/*.e2e.ts',
    'test-e2e/src/**/*.ci.ts',
    'packages/*/src/**/*.etcd-spec.ts',
    'packages/shared-storage/src/faults/*.spec.ts',
  ];
  const found = globSync(patterns, { cwd: root }).sort();
  const rank = Object.keys(traits);
  const place = (path: string): number => rank.indexOf(path.replace(/\.ts$/, '')) + 1 || Infinity;
  const files = found.toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
  return [
    ...preparations(),
    { name: 'types', command: ['npm', 'run', '-s', 'typecheck'] },
    // The tarballs that users install. Both compile into the same folder.
    { name: PACKAGES, command: ['npm', 'run', '-s', 'pack'], needs: ['types'] },
    { name: 'lint', command: ['npm', 'run', '-s', 'lint'] },
    // The README's test command: all unit and end-to-end tests.
    // What takes longest by far: with two others beside it, it ends when the rest of them do.
    { name: 'npm test', command: ['npm', 'test'], counts: 'mocha', runs: 2, again: mochaOf, load: 2 },
    ...transcripts(root),
    ...files.flatMap(jobsOf),
  ];
}
