import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startTestEnvironment, type TestEnvironment } from 'kubechain/testing';

const run = promisify(execFile);
const bin = join(import.meta.dirname, '../../packages/kubechain/bin/kubechain.js');
const namespace = 'default';

interface Event {
  readonly type: string;
  readonly object: { readonly metadata?: { readonly name?: string }; readonly code?: number; readonly reason?: string };
}

/** A watch of config maps by hand. */
interface Watch {
  readonly events: Event[];
  /** When each came, by `performance.now()`. */
  readonly times: number[];
  /** `end` when the answer ended as it should, `broken` when not; undefined while it lasts. */
  readonly over: () => 'end' | 'broken' | undefined;
  close(): void;
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1_000; i++) {
    if (await condition()) return;
    await delay(20);
  }
  throw new Error(`it has not come to this: ${what}`);
}

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`faults of watches: ${topology}`, function () {
    this.timeout(120_000);
    let env: TestEnvironment;
    let core: CoreV1Api;
    let config: KubeConfig;
    let made = 0;
    const watches: Watch[] = [];

    before(async () => {
      env = await startTestEnvironment({ topology, control: true });
      config = new KubeConfig();
      config.loadFromOptions(env.kubeConfig);
      core = config.makeApiClient(CoreV1Api);
    });
    after(() => env.stop());
    afterEach(async () => {
      for (const watch of watches.splice(0)) watch.close();
      await env.faults.clear();
    });

    const create = async (labels: Record<string, string> = {}): Promise<string> => {
      const name = `made-${++made}`;
      await core.createNamespacedConfigMap({ namespace, body: { metadata: { name, labels } } });
      return name;
    };

    /** It is open, from now on. */
    const watch = async (query = ''): Promise<Watch> => {
      const { metadata } = await core.listNamespacedConfigMap({ namespace, limit: 1 });
      return openWatch(`resourceVersion=${metadata?.resourceVersion ?? ''}&${query}`);
    };
    const openWatch = (query: string): Promise<Watch> =>
      new Promise((resolve, reject) => {
        const request = get(
          `${env.url}/api/v1/namespaces/${namespace}/configmaps?watch=1&${query}`,
          { agent: false, ca: env.caCertificate, headers: { authorization: `Bearer ${env.adminToken}` } },
          (response) => {
            let text = '';
            let over: 'end' | 'broken' | undefined;
            const opened: Watch = { events: [], times: [], over: () => over, close: () => request.destroy() };
            response.on('data', (chunk: Buffer) => {
              const lines = (text + chunk.toString()).split('\n');
              text = lines.pop() ?? '';
              for (const line of lines) {
                opened.events.push(JSON.parse(line) as Event);
                opened.times.push(performance.now());
              }
            });
            response.once('end', () => (over ??= 'end'));
            response.once('error', () => (over ??= 'broken'));
            watches.push(opened);
            resolve(opened);
          },
        );
        request.once('error', reject);
      });
    const names = ({ events }: Watch): string[] => events.map(({ object }) => object.metadata?.name ?? '');

    it('break those that are open, by their selector, and leave others alone', async () => {
      const [cut, left] = [await watch('labelSelector=app%3Dweb'), await watch()];
      const fault = await env.faults.add({
        target: 'watch',
        match: { resources: ['configmaps'], labelSelectors: ['app=web'] },
        effect: { kind: 'cut' },
      });
      await until('the watch has broken', () => cut.over() === 'broken');
      const name = await create();
      await until('the other goes on', () => names(left).includes(name));
      expect([left.over(), await fault.happened()]).to.deep.equal([undefined, 1]);
    });

    it('end those that are open with 410, and those that are opened later in place of an event', async () => {
      const open = await watch();
      await env.faults.add({
        target: 'watch',
        match: { resources: ['configmaps'] },
        effect: { kind: 'expired' },
        count: 2,
      });
      await until('the first has ended', () => open.over() === 'end');
      const later = await watch();
      await create();
      await until('the second has ended', () => later.over() === 'end');
      for (const { events } of [open, later]) {
        expect(events.map(({ type }) => type)).to.deep.equal(['ERROR']);
        expect(events[0]?.object).to.include({ code: 410, reason: 'Expired' });
      }
      const third = await watch();
      const name = await create();
      await until('the third is served', () => names(third).includes(name));
    });

    it('delay events, in their order', async () => {
      const open = await watch();
      await env.faults.add({
        target: 'watch',
        match: { resources: ['configmaps'] },
        effect: { kind: 'delay', milliseconds: 500 },
      });
      const startedAt = performance.now();
      const wanted = [await create(), await create(), await create()];
      await until('all have come', () => open.events.length >= 3);
      expect(names(open)).to.deep.equal(wanted);
      expect((open.times[0] ?? 0) - startedAt).to.be.at.least(490);
    });

    it('keep bookmarks back, but for the one that ends the initial events', async () => {
      await env.faults.add({
        target: 'watch',
        match: { resources: ['configmaps'], labelSelectors: ['app=web'] },
        effect: { kind: 'withoutBookmarks' },
      });
      const query = 'allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
      const [kept, served] = [await openWatch(`${query}&labelSelector=app%3Dweb`), await openWatch(query)];
      const bookmarks = ({ events }: Watch): number => events.filter(({ type }) => type === 'BOOKMARK').length;
      await until('the initial events are there', () => bookmarks(kept) === 1 && bookmarks(served) === 1);
      try {
        await create();
        await env.clock.advance('2m');
        await until('the other gets more of them', () => bookmarks(served) > 1);
      } finally {
        await env.clock.reset();
      }
      const name = await create({ app: 'web' });
      await until('both are served', () => names(kept).includes(name) && names(served).includes(name));
      expect(bookmarks(kept)).to.equal(1);
    });

    it('begin and end by the clock of the chain, out of a scenario and by the command', async () => {
      const open = await watch();
      const step = { at: '1m', for: '30s', target: 'watch', match: {}, effect: { kind: 'expired' } };
      await using scenario = await env.faults.apply(JSON.stringify({ steps: [step] }));
      expect(scenario.faults).to.have.length(1);
      const name = await create();
      await until('it is served before', () => names(open).includes(name));
      try {
        await env.clock.advance('1m');
        await until('it has ended', () => open.over() === 'end');
        await env.clock.advance('30s');
        const later = await watch();
        const after = await create();
        await until('it is served afterwards', () => names(later).includes(after));
        const rule = JSON.stringify({ target: 'watch', match: {}, effect: { kind: 'cut' } });
        await run(process.execPath, [bin, 'fault', 'add', rule, '--data-dir', env.dataDir]);
        await until('it has broken', () => later.over() === 'broken');
      } finally {
        await env.clock.reset();
      }
    });

    it('are survived by informers', async () => {
      const seen = new Set<string>();
      const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
        core.listNamespacedConfigMap({ namespace }),
      );
      let over = false;
      informer.on('add', (object: V1ConfigMap) => void seen.add(object.metadata?.name ?? ''));
      informer.on('error', () => {
        setTimeout(() => {
          if (!over) void informer.start();
        }, 10);
      });
      await informer.start();
      try {
        for (const kind of ['cut', 'expired', 'withoutBookmarks'] as const) {
          await using fault = await env.faults.add({ target: 'watch', match: {}, effect: { kind }, count: 1 });
          await until('it happens', async () => (await fault.happened()) === 1);
          const name = await create();
          await until(`the informer has what came after: ${kind}`, () => seen.has(name));
        }
      } finally {
        over = true;
        await informer.stop();
      }
    });
  });
