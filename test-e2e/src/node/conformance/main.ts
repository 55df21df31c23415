// Kubernetes' conformance suite against kubechain with a real node.
//   node test-e2e/src/node/conformance/main.ts [--work DIR] [--server kubechain|kube-apiserver]
//     [--controllers own|upstream] [--parallel N] [--share N] [--minutes N] [--only REGEX] [--every] [--again]
//     [--only-table] [--table FILE] [--flag FLAG]… [--gates A,B]
// With --every the tests that --only names are taken of all that there are, not of those of conformance alone; each
// --flag is given to the server, and --gates are features to be on everywhere.
// Results are kept in DIR/results-CONTROLLERS.jsonl, those of kube-apiserver in DIR/results-kube-apiserver.jsonl:
// what has run there is not run again, but with --again what did not pass.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { goTool } from '../../harness/go-tools.ts';
import { Cluster, type ClusterOptions, type Rulers } from '../cluster.ts';
import { startDNS } from '../dns.ts';
import { importConformanceImages } from './images.ts';
import { ResultRecord } from './record.ts';
import { runInShares } from './schedule.ts';
import { listTests, runTests } from './suite.ts';
import { conformanceTable } from './table.ts';
import { helpFrom } from '../../harness/help.ts';

/** What stands below it in the file of the table is written anew. */
const RESULTS = '## Results';

helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    work: { type: 'string', default: join(tmpdir(), 'kubechain-conformance') },
    server: { type: 'string', default: 'kubechain' },
    controllers: { type: 'string', default: 'upstream' },
    parallel: { type: 'string', default: '4' },
    share: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '600' },
    only: { type: 'string', default: '' },
    every: { type: 'boolean', default: false },
    flag: { type: 'string', multiple: true, default: [] },
    gates: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
    table: { type: 'string' },
    'only-table': { type: 'boolean', default: false },
  },
});
const rulers = values.controllers as Rulers;
if (rulers !== 'own' && rulers !== 'upstream') throw new Error('--controllers: own or upstream');
const server = values.server as NonNullable<ClusterOptions['server']>;
if (server !== 'kubechain' && server !== 'kube-apiserver') throw new Error('--server: kubechain or kube-apiserver');
const work = values.work;
const subject = server === 'kubechain' ? rulers : server;
mkdirSync(work, { recursive: true });
const endsMs = performance.now() + Number(values.minutes) * 60_000;
const program = await goTool('e2e.test');
const all = await listTests({ program, folder: work, every: values.every });
const record = new ResultRecord(join(work, `results-${subject}.jsonl`));

const only = new RegExp(values.only);
const due = all
  .filter((test) => only.test(test))
  .filter((test) => {
    const last = record.last(test);
    return last === undefined || (values.again && last.state !== 'passed');
  });
if (due.length > 0 && !values['only-table']) await runDue(due);
const counts = Map.groupBy(all, (test) => record.last(test)?.state ?? 'not run');
console.log(`${all.length} tests:`, [...counts].map(([state, tests]) => `${tests.length} ${state}`).join(', '));
if (values.table !== undefined) {
  const [above = ''] = readFileSync(values.table, 'utf8').split(RESULTS, 1);
  writeFileSync(values.table, `${above}${RESULTS}\n\n${conformanceTable(all, record)}`);
}

async function runDue(tests: readonly string[]): Promise<void> {
  const gates = values.gates.split(',').filter(Boolean);
  const gateFlags = gates.length === 0 ? [] : [`--feature-gates=${gates.map((name) => `${name}=true`).join(',')}`];
  const cluster = await Cluster.start(rulers, {
    server,
    serverFlags: [...values.flag, ...gateFlags],
    controllerFlags: gateFlags,
    // Tests take both processors: a node that is slow is not lost.
    graceSeconds: 50,
    kubelet: {
      syncFrequency: '10s',
      nodeLeaseDurationSeconds: 40,
      nodeStatusUpdateFrequency: '10s',
      ...(gates.length > 0 && { featureGates: Object.fromEntries(gates.map((name) => [name, true])) }),
    },
  });
  const stop = new AbortController();
  process.once('SIGINT', () => {
    stop.abort();
  });
  try {
    await startDNS(cluster);
    await importConformanceImages(cluster.machine, work);
    const kubectl = await goTool('kubectl');
    const beganMs = Date.now();
    await runInShares(
      tests,
      async (share, index) => {
        const options = { program, kubectl, kubeconfig: cluster.chain.kubeconfig, folder: join(work, 'runs') };
        for (const result of await runTests(options, share, `${subject}-${beganMs}-${index}`)) {
          record.add(result);
          console.log(`${result.state} ${result.seconds} s ${result.test}`);
        }
      },
      {
        parallel: Number(values.parallel),
        share: Number(values.share),
        over: () => stop.signal.aborted || performance.now() > endsMs,
      },
    );
  } finally {
    await cluster.stop();
  }
}
