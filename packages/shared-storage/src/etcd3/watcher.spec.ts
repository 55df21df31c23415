import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import { pod, podCodec } from '../testing/contract/pods.ts';
import type { EtcdClient, EtcdEvent } from '../etcd-client/etcd-client.ts';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { Etcd3Store } from './store.ts';

const large = 600_000;
const count = 8;

describe('a watch of the store', () => {
  it('decodes large events that come at once in turns of the loop, in their order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubechain-watch-'));
    const etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    const client = createEtcdClient({ endpoints: [etcd.endpoint] });
    // Hands all of them over in one piece, as a client does that was busy.
    const watch: EtcdClient['watch'] = client.watch.bind(client);
    client.watch = (request, sink) => {
      const gathered: EtcdEvent[] = [];
      const events = (some: readonly EtcdEvent[], revision: number): void => {
        gathered.push(...some);
        if (gathered.length === count) sink.events(gathered, revision);
      };
      return watch(request, {
        created: (revision) => {
          sink.created(revision);
        },
        progress: (revision) => {
          sink.progress(revision);
        },
        end: (error) => {
          sink.end(error);
        },
        events,
      });
    };
    const storage = new Etcd3Store({
      client,
      codec: podCodec,
      keyRoot: '/registry/pods',
      resourcePrefix: '/pods',
      groupResource: { group: '', resource: 'pods' },
    });
    try {
      let turn = 0;
      const turns: number[] = [];
      const names: string[] = [];
      const around = setInterval(() => turn++, 0);
      const { revision } = await client.put({ key: '/registry/other', value: Buffer.from('a') });
      const seen = new Promise<void>((resolve) => {
        void storage.watch(
          '/registry/pods/',
          { resourceVersion: String(revision) },
          {
            event: (event) => {
              if (event.type === 'ADDED') {
                names.push(event.record.key);
                turns.push(turn);
                setImmediate(() => turn++);
              }
              if (names.length === count) resolve();
              return true;
            },
            end: () => undefined,
          },
        );
      });
      for (let i = 0; i < count; i++)
        await storage.create(`/registry/pods/a/p${i}`, pod(`p${i}`, { namespace: 'a', padding: large }));
      await seen;
      clearInterval(around);
      expect(names).to.deep.equal(Array.from({ length: count }, (_, i) => `/registry/pods/a/p${i}`));
      expect(new Set(turns).size).to.be.at.least(count / 2);
    } finally {
      await storage.close();
      await client.close();
      await etcd.close();
      await rm(folder, { recursive: true });
    }
  });

  it('decodes the initial states of many at once in turns of the loop', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubechain-watch-'));
    const etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    const client = createEtcdClient({ endpoints: [etcd.endpoint] });
    // All answers come in one piece, as to a process that was busy.
    const range: EtcdClient['range'] = client.range.bind(client);
    const watches = 20;
    const answers: (() => void)[] = [];
    client.range = async (request, options) => {
      const answer = await range(request, options);
      if ((request.limit ?? 0) > 0) {
        await new Promise<void>((resolve) => {
          answers.push(resolve);
          if (answers.length === watches) for (const each of answers) each();
        });
      }
      return answer;
    };
    const storage = new Etcd3Store({
      client,
      codec: podCodec,
      keyRoot: '/registry/pods',
      resourcePrefix: '/pods',
      groupResource: { group: '', resource: 'pods' },
    });
    try {
      for (let i = 0; i < 10; i++)
        await storage.create(`/registry/pods/a/p${i}`, pod(`p${i}`, { namespace: 'a', padding: 20_000 }));
      let turn = 0;
      let seen = 0;
      const ofTurn = new Map<number, number>();
      const around = (): void => {
        turn++;
        if (seen < watches * 10) setImmediate(around);
      };
      around();
      await new Promise<void>((resolve) => {
        for (let i = 0; i < watches; i++)
          void storage.watch(
            '/registry/pods/',
            { sendInitialEvents: true },
            {
              event: () => {
                ofTurn.set(turn, (ofTurn.get(turn) ?? 0) + 1);
                if (++seen === watches * 10) resolve();
                return true;
              },
              end: () => undefined,
            },
          );
      });
      expect(Math.max(...ofTurn.values())).to.be.at.most(10);
    } finally {
      await storage.close();
      await client.close();
      await etcd.close();
      await rm(folder, { recursive: true });
    }
  });
});
