import { freePort } from '@kubechain/shared-storage/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChain } from '../harness/chain.ts';
import { Client, type WatchStream } from '../harness/client.ts';
import { SteppingDebugger, type Step } from './stepping-debugger.ts';

/**
 * Prints the files that something passes on its way, in order, and how often the way goes back to one that it had left:
 * `node test-e2e/src/walk/main.ts get|create|watch`. A debugger steps through a running chain; what is below
 * (Node, gRPC, apimachinery) and beside the way (metrics, logs, admission plugins) is not counted.
 */
const root = join(import.meta.dirname, '../../..');
const over = [
  '^node:',
  'node_modules',
  '/apimachinery/',
  '/etcd-client/',
  '/metrics/',
  '-metrics.ts',
  '-metric-set.ts',
  '/logging/',
  '/admission/[a-z]',
];
/** Work of timers that falls in between. */
const beside = /\/(flowcontrol|files|process|watchdog)\//;

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { a: 'b' },
});
interface Way {
  /** Which process: aggregator, kube-apiserver, apiextensions. */
  readonly process: 0 | 1 | 2;
  readonly from: { readonly file: string; readonly text: string };
  /** The way ends where files of this name were seen last. */
  readonly until: RegExp;
  prepare(client: Client): Promise<unknown>;
  go(client: Client, prepared: unknown): Promise<unknown>;
}

const director = { file: 'server/director.ts', text: '  #handle(route: ResourceRoute' };
const handlers = /\/endpoints\/handlers\//;
const ways: Readonly<Record<string, Way>> = {
  get: {
    process: 1,
    from: director,
    until: handlers,
    prepare: (client) => client.get(`${configMaps}/warm`),
    go: (client) => client.get(`${configMaps}/warm`),
  },
  create: {
    process: 1,
    from: director,
    until: handlers,
    prepare: (client) => client.post(configMaps, configMap('before')),
    go: (client) => client.post(configMaps, configMap('new')),
  },
  watch: {
    process: 1,
    from: { file: 'etcd3/watcher.ts', text: '  #receive(events' },
    until: handlers,
    prepare: async (client) => {
      const stream = await client.watch(`${configMaps}?watch=true&resourceVersion=0`);
      await stream.atLeast(1);
      return stream;
    },
    go: async (client, prepared) => {
      const stream = prepared as WatchStream;
      await Promise.all([client.post(configMaps, configMap('seen')), stream.atLeast(stream.events.length + 1)]);
      stream.close();
    },
  },
};

async function walk(way: Way): Promise<Step[]> {
  const source = join(
    root,
    'packages',
    way.from.file.startsWith('etcd3') ? 'shared-storage' : 'apiserver',
    'src',
    way.from.file,
  );
  const line =
    readFileSync(source, 'utf8')
      .split('\n')
      .findIndex((text) => text.startsWith(way.from.text)) + 2;
  const inspectPort = await freePort();
  const chain = await startChain({ flags: [`--inspect=${inspectPort}`, '--request-timeout=10m'] });
  try {
    const client = Client.fromKubeconfig(chain.kubeconfig);
    await client.post(configMaps, configMap('warm'));
    const prepared = await way.prepare(client);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const stepping = await SteppingDebugger.attach(inspectPort + way.process, over);
    await stepping.breakAt(way.from.file, line);
    await way.go(client, prepared);
    stepping.close();
    client.close();
    return stepping.steps;
  } finally {
    await chain.stop();
  }
}

const way = ways[process.argv[2] ?? ''];
if (way === undefined) throw new TypeError(`one of ${Object.keys(ways).join(', ')}`);
const own = (await walk(way)).filter(({ file }) => file.startsWith(join(root, 'packages')) && !beside.test(file));
const steps = own.slice(0, own.findLastIndex(({ file }) => way.until.test(file)) + 1);
const seen: string[] = [];
let returns = 0;
let here = '';
for (const { file, functionName, line } of steps) {
  if (file === here) continue;
  here = file;
  if (seen.includes(file)) returns++;
  else seen.push(file);
  process.stdout.write(`${file.slice(root.length + 10).padEnd(72)} ${functionName}:${line}\n`);
}
process.stdout.write(`${seen.length} files, ${returns} returns\n`);
process.exit(0);
