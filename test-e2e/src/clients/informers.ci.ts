import { CoreV1Api, KubeConfig, type V1ConfigMap } from '@kubernetes/client-node';
import { expect } from 'chai';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestEnvironment, type FaultRule, type SetFault, type TestEnvironment } from 'kubechain/testing';
import { shareOf } from '../ci/share.ts';
import { goTool } from '../harness/go-tools.ts';

const namespace = 'default';
/** client-go's reflectors pause for up to 30 s after failures. */
const patienceMs = 60_000;
const contentTypes = { JSON: 'application/json', protobuf: 'application/vnd.kubernetes.protobuf' } as const;

interface Told {
  readonly type: 'add' | 'update' | 'delete' | 'synced' | 'list';
  readonly name?: string;
  readonly value?: string;
  readonly items?: Readonly<Record<string, string>>;
}

/** A program with a shared informer of client-go. */
class Informer {
  readonly told: Told[] = [];
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lists: ((items: Readonly<Record<string, string>>) => void)[] = [];
  #stderr = '';
  #ended = false;

  constructor(program: string, kubeconfig: string, contentType: string) {
    this.#process = spawn(program, [kubeconfig, namespace, contentType]);
    createInterface({ input: this.#process.stdout }).on('line', (text) => {
      const told = JSON.parse(text) as Told;
      if (told.type === 'list') this.#lists.shift()?.(told.items ?? {});
      else this.told.push(told);
    });
    this.#process.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#process.once('exit', () => (this.#ended = true));
  }

  /** What it holds now, by name. */
  list(): Promise<Readonly<Record<string, string>>> {
    if (this.#ended) throw new Error(`the informer has ended: ${this.#stderr}`);
    return new Promise((resolve) => {
      this.#lists.push(resolve);
      this.#process.stdin.write('list\n');
    });
  }

  end(): void {
    this.#process.stdin.end();
    this.#process.kill();
  }
}

/** What clients of a chain go through, and how it is ended. */
interface Trouble {
  readonly name: string;
  /** Begins it. Resolves to what ends it, and throws where it has not come about. */
  readonly begin: (env: Place) => Promise<() => Promise<unknown>>;
}

/** Where informers run: a chain, or a tenant of one. */
type Place = Pick<TestEnvironment, 'clock' | 'faults' | 'kubeConfig' | 'kubeconfig' | 'snapshots' | 'stop'>;

async function tenantOf(env: TestEnvironment): Promise<Place> {
  return { ...(await env.tenant('informers')), clock: env.clock, stop: () => env.stop() };
}

const configMaps = { resources: ['configmaps'] };
const byInformer = { ...configMaps, userAgents: ['informers*'] };

function faults(name: string, rules: readonly FaultRule[]): Trouble {
  return {
    name,
    begin: async (env) => {
      const set: SetFault[] = [];
      for (const rule of rules) set.push(await env.faults.add(rule));
      // Watches that are open go on: they begin anew, into the fault.
      if (rules.every(({ target }) => target === undefined)) await env.faults.expireWatches();
      return async () => {
        for (const fault of set) await hasHappened(fault);
        for (const fault of set) await fault.remove();
      };
    },
  };
}

/** client-go comes back after a second or two. */
async function hasHappened(fault: SetFault): Promise<void> {
  for (let tries = 0; (await fault.happened()) === 0; tries++) {
    if (tries === 1_000) throw new Error('nobody has met the fault');
    await delay(20);
  }
}

const troubles: readonly Trouble[] = [
  ...([401, 410, 429, 500, 503, 504] as const).map((code) =>
    faults(`requests that are answered with ${code}`, [
      { match: byInformer, effect: { kind: 'status', code }, count: 2 },
    ]),
  ),
  ...(['before', 'within', 'after'] as const).map((when) =>
    faults(`connections that are cut ${when} the answer`, [
      { match: byInformer, effect: { kind: 'cut', when }, count: 2 },
    ]),
  ),
  faults('a time-out', [{ match: byInformer, effect: { kind: 'timeout', when: 'before' }, count: 2 }]),
  faults('slow answers', [{ match: byInformer, effect: { kind: 'delay', milliseconds: 300 }, count: 2 }]),
  faults('watches that are cut', [{ target: 'watch', match: byInformer, effect: { kind: 'cut' }, count: 2 }]),
  faults('watches that expire', [{ target: 'watch', match: byInformer, effect: { kind: 'expired' }, count: 2 }]),
  faults('watches that are late', [
    { target: 'watch', match: byInformer, effect: { kind: 'delay', milliseconds: 300 } },
  ]),
  faults('watches without bookmarks', [{ target: 'watch', match: byInformer, effect: { kind: 'withoutBookmarks' } }]),
  faults('a store that is gone', [{ target: 'store', match: {}, effect: { kind: 'refuse' } }]),
  faults('a store that loses answers', [
    { target: 'store', match: { names: ['/registry/configmaps/*'] }, effect: { kind: 'loseAnswer' }, probability: 0.5 },
  ]),
  faults('watches of the store that stand still', [
    { target: 'store', match: { verbs: ['watch'], names: ['/registry/configmaps*'] }, effect: { kind: 'silence' } },
  ]),
  faults('a next server that is gone', [{ target: 'delegate', match: {}, effect: { kind: 'refuse' } }]),
  {
    name: 'a serving certificate that has expired',
    begin: async (env) => {
      const fault = await env.faults.add({ target: 'certificate', effect: { kind: 'expired' } });
      // They would go on over the connection that is there.
      await env.faults.expireWatches();
      return () => fault.remove();
    },
  },
  {
    name: 'a restored snapshot',
    begin: async (env) => {
      await env.snapshots.save('before');
      return () => env.snapshots.restore('before');
    },
  },
  {
    name: 'a clock that leaps',
    begin: async (env) => {
      await env.clock.advance('3h');
      return () => env.clock.reset();
    },
  },
  {
    name: 'chaos',
    begin: async (env) => {
      const chaos = await env.faults.chaos({ match: byInformer, probability: 0.5 });
      return () => chaos.remove();
    },
  },
];

function goOn(
  title: string,
  contentType: string,
  { of = troubles, start }: { readonly of?: readonly Trouble[]; readonly start: () => Promise<Place> },
): void {
  describe(`informers of client-go ${title}`, function () {
    this.timeout(2 * patienceMs);
    let env: Place;
    let core: CoreV1Api;
    let program: string;
    let written = 0;

    before(async function () {
      this.timeout(900_000);
      program = await goTool('informers');
      env = await start();
      const config = new KubeConfig();
      config.loadFromOptions(env.kubeConfig);
      core = config.makeApiClient(CoreV1Api);
    });
    after(() => env?.stop());

    const configMap = (name: string): { readonly namespace: string; readonly body: V1ConfigMap } => ({
      namespace,
      body: { metadata: { name }, data: { value: String(++written) } },
    });

    /** Makes one, changes one and deletes one; what fails is left as it is. */
    const write = async (): Promise<void> => {
      const name = `of-${++written}`;
      const ignore = (): undefined => undefined;
      await core.createNamespacedConfigMap(configMap(name)).catch(ignore);
      await core.createNamespacedConfigMap(configMap(`${name}-gone`)).catch(ignore);
      await core.replaceNamespacedConfigMap({ name, ...configMap(name) }).catch(ignore);
      await core.deleteNamespacedConfigMap({ name: `${name}-gone`, namespace }).catch(ignore);
    };

    const stored = async (): Promise<Readonly<Record<string, string>>> =>
      Object.fromEntries(
        (await core.listNamespacedConfigMap({ namespace })).items.map(({ data, metadata }) => [
          metadata?.name ?? '',
          data?.['value'] ?? '',
        ]),
      );

    const follows = async (informer: Informer): Promise<void> => {
      const wanted = await stored();
      const giveUpAt = performance.now() + patienceMs;
      let held = await informer.list();
      while (JSON.stringify(sorted(held)) !== JSON.stringify(sorted(wanted)) && performance.now() < giveUpAt) {
        await delay(20);
        held = await informer.list();
      }
      expect(held).to.deep.equal(wanted);
    };

    for (const { begin, name } of of)
      it(`go on through ${name}`, async () => {
        const informer = new Informer(program, env.kubeconfig, contentType);
        try {
          await write();
          await follows(informer);
          const end = await begin(env);
          try {
            await write();
            await delay(300);
          } finally {
            await end();
          }
          await write();
          await follows(informer);
          expectOneStory(informer.told);
        } finally {
          await env.faults.clear();
          informer.end();
        }
      });
  });
}

/** What a tenant does by itself, apart from the chain that it is on. */
const ofTenants = ['watches that are cut', 'watches that expire', 'a store that is gone', 'a restored snapshot'];

const topologies = ['all-in-one', 'processes'] as const;
const combinations = topologies.flatMap((topology) =>
  Object.entries(contentTypes).map(([form, contentType]) => ({ topology, form, contentType })),
);

for (const combination of combinations) {
  const { contentType, form, topology } = combination;
  goOn(`over ${form}: ${topology}`, contentType, {
    of: troubles.filter((_, i) => shareOf(combinations, i).includes(combination)),
    start: () => startTestEnvironment({ topology, control: true }),
  });
}
for (const topology of topologies)
  goOn(`in a tenant: ${topology}`, contentTypes.protobuf, {
    of: troubles.filter(
      ({ name }) => ofTenants.includes(name) && shareOf(topologies, ofTenants.indexOf(name)).includes(topology),
    ),
    start: async () => tenantOf(await startTestEnvironment({ topology, control: true })),
  });

function sorted(items: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(items).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** What is told of each object follows: it is made before it changes, and changes before it goes. */
function expectOneStory(told: readonly Told[]): void {
  const there = new Set<string>();
  for (const { name = '', type } of told) {
    if (type === 'synced') continue;
    expect(there.has(name), `${type} ${name}`).to.equal(type !== 'add');
    if (type === 'delete') there.delete(name);
    else there.add(name);
  }
}
