import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from './harness/chain.ts';
import { Client, type WatchStream } from './harness/client.ts';
import { pidOf } from './harness/process-of.ts';

const things = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const collections = [
  { path: '/api/v1/namespaces/default/configmaps', object: { apiVersion: 'v1', kind: 'ConfigMap' } },
  { path: '/apis/example.com/v1/namespaces/default/things', object: { apiVersion: 'example.com/v1', kind: 'Thing' } },
] as const;

/** What writers saw while a process was restarted. */
interface Seen {
  readonly written: Set<string>;
  readonly refusals: Set<string>;
  unexpected: string[];
  connectionErrors: number;
}

describe('a restart of one process under load', () => {
  let chain: Chain;
  let admin: Client;
  let round = 0;
  before(async () => {
    chain = await startChain();
    admin = Client.fromKubeconfig(chain.kubeconfig);
    await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', things);
    await admin.until(collections[1].path, ({ status }) => status === 200);
  });
  after(async () => {
    admin?.close();
    await chain?.stop();
  });

  /** Writes one object after the other until told to stop; each is tried again until it is there. */
  async function write(writer: number, seen: Seen, signal: AbortSignal): Promise<void> {
    const { path, object } = collections[writer % collections.length]!;
    for (let i = 0; !signal.aborted; i++) {
      const name = `r${round}-w${writer}-${i}`;
      for (let attempts = 0; !signal.aborted; attempts++) {
        try {
          const { headers, status, text } = await admin.post(path, { ...object, metadata: { name } });
          // After a lost connection nobody knows whether the object was written: then it may be there.
          if (status === 201 || (status === 409 && attempts > 0)) {
            seen.written.add(`${path}/${name}`);
            break;
          }
          // When to retry is told only where nothing can have come of the request.
          if (status === 503 || (status === 504 && text.includes('"reason":"Timeout"')))
            seen.refusals.add(headers['retry-after'] ?? 'none');
          else seen.unexpected.push(`${status} ${text}`);
        } catch {
          seen.connectionErrors++;
        }
        await delay(20);
      }
    }
  }

  for (const process of ['apiextensions', 'kube-apiserver', 'aggregator', 'etcd'] as const) {
    it(`${process}: loses no write, refuses with 503 or 504, ends watches cleanly`, async () => {
      round++;
      const seen: Seen = { written: new Set(), refusals: new Set(), unexpected: [], connectionErrors: 0 };
      const stop = new AbortController();
      const watches: WatchStream[] = await Promise.all(
        collections.map(({ path }) => admin.watch(`${path}?watch=true`)),
      );
      const writers = Promise.all(Array.from({ length: 6 }, (_, i) => write(i, seen, stop.signal)));
      while (seen.written.size < 12) await delay(20);
      const before = pidOf(chain.dataDir, process);
      globalThis.process.kill(before, 'SIGTERM');
      const deadline = Date.now() + 60_000;
      const restarted = (): boolean => {
        try {
          return pidOf(chain.dataDir, process) !== before;
        } catch {
          return false;
        }
      };
      while (!restarted() && Date.now() < deadline) await delay(20);
      const enough = seen.written.size + 30;
      while (seen.written.size < enough && Date.now() < deadline) await delay(20);
      stop.abort();
      await writers;
      expect(restarted(), 'the process came back').to.equal(true);
      expect(seen.unexpected).to.deep.equal([]);
      // Only the process that holds the port can refuse connections; behind it nobody notices lost ones.
      if (process !== 'aggregator') expect(seen.connectionErrors).to.equal(0);
      for (const { path } of collections) {
        const { body } = await admin.until(path, ({ status }) => status === 200);
        const there = new Set(
          (body.items as { metadata: { name: string } }[]).map(({ metadata }) => `${path}/${metadata.name}`),
        );
        expect(
          [...seen.written].filter((name) => name.startsWith(path) && !there.has(name)),
          'lost',
        ).to.deep.equal([]);
      }
      // Whatever watches said, they said in whole events; one that has ended did so without an error event.
      for (const { events } of watches) expect(events.filter(({ type }) => type !== 'ADDED')).to.deep.equal([]);
      for (const watch of watches) watch.close();
    }).timeout(120_000);
  }
});
