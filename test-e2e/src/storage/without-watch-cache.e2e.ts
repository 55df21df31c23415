import { expect } from 'chai';
import { join } from 'node:path';
import { builtinResources } from '@kubechain/apimachinery';
import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';
import { startChain } from '../harness/chain.ts';
import type { Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

interface Served {
  readonly title: string;
  readonly path: string;
  readonly key: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly verbs: readonly string[];
}

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'notes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'notes', singular: 'note', kind: 'Note' },
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

const apiVersionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`;
const notes: Served = {
  title: 'notes.example.com',
  path: '/apis/example.com/v1/namespaces/default/notes',
  key: '/registry/example.com/notes/default',
  apiVersion: 'example.com/v1',
  kind: 'Note',
  namespace: 'default',
  verbs: ['get', 'list', 'watch'],
};
const builtIn = builtinResources().flatMap((facts): readonly Served[] => {
  const { group, namespaced, resource, storage, verbs, version } = facts;
  if (storage === undefined) return [];
  const namespace = namespaced ? 'default' : undefined;
  return [
    {
      title: `${resource}.${version}.${group}`,
      namespace,
      verbs,
      kind: storage.kind,
      apiVersion: apiVersionOf(storage),
      path:
        `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/` +
        `${resource}`,
      key: `/registry/${storage.prefix}${namespaced ? '/default' : ''}`,
    },
  ];
});

/** What the aggregator would write into an APIService that says nothing of it. */
const available = {
  type: 'Available',
  status: 'True',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'Local',
  message: 'Local APIServices are always available',
};
const statusOf = (kind: string): object => (kind === 'APIService' ? { status: { conditions: [available] } } : {});

describe('--watch-cache=false', () => {
  let chain: Chain;
  let client: Client;
  let etcd: EtcdClient;
  before(async () => {
    // Flow control would write a status into the flow schemas that are put past the API.
    chain = await startChain({ flags: ['--watch-cache=false', '--enable-priority-and-fairness=false'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
    expect((await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)).status).to.equal(201);
    await client.until(notes.path, ({ status }) => status === 200);
  });
  after(async () => {
    await etcd?.close();
    client?.close();
    await chain?.stop();
  });

  for (const served of [...builtIn, notes]) {
    it(`serves ${served.title}`, async () => {
      const { apiVersion, kind, namespace, path, verbs } = served;
      const name = 'without-cache';
      const key = `${served.key}/${name}`;
      // Past the API: what is to be shown is how it is read.
      const put = async (step: string): Promise<number> => {
        const metadata = {
          name,
          ...(namespace === undefined ? {} : { namespace }),
          uid: `uid-${served.title}`,
          creationTimestamp: '2026-01-01T00:00:00Z',
          labels: { step },
        };
        const stored = JSON.stringify({ kind, apiVersion, metadata, ...statusOf(kind) });
        return (await etcd.put({ key, value: Buffer.from(`${stored}\n`) })).revision;
      };
      try {
        const first = await put('first');
        const named = (list: {
          readonly items: readonly { readonly metadata: { readonly name: string } }[];
        }): unknown => list.items.find(({ metadata }) => metadata.name === name);
        const list = await client.get(path);
        expect(list.status, list.text).to.equal(200);
        expect(Number(list.body.metadata.resourceVersion)).to.be.at.least(first);
        expect(named(list.body)).to.have.nested.property('metadata.resourceVersion', String(first));
        expect(named((await client.get(`${path}?resourceVersion=0`)).body), 'any state').to.deep.equal(
          named(list.body),
        );
        expect(named((await client.get(`${path}?labelSelector=step%3Dfirst`)).body), 'selected').to.deep.equal(
          named(list.body),
        );
        const exact = await client.get(`${path}?resourceVersion=${first}&resourceVersionMatch=Exact&limit=500`);
        expect(named(exact.body), 'exact').to.deep.equal(named(list.body));
        if (verbs.includes('get'))
          expect((await client.get(`${path}/${name}`)).body.metadata).to.deep.include({
            name,
            resourceVersion: String(first),
          });
        if (verbs.includes('watch')) {
          const watch = await client.watch(
            `${path}?watch=true&resourceVersion=${first}&fieldSelector=metadata.name%3D${name}`,
          );
          const initial = await client.watch(
            `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&` +
              'allowWatchBookmarks=true&labelSelector=step',
          );
          await initial.atLeast(2);
          await put('second');
          await etcd.delete({ key });
          await watch.atLeast(2);
          expect(watch.events.map(({ type, object }) => [type, object.metadata.labels.step])).to.deep.equal([
            ['MODIFIED', 'second'],
            ['DELETED', 'second'],
          ]);
          await initial.atLeast(4);
          expect(initial.events.map(({ type }) => type)).to.deep.equal(['ADDED', 'BOOKMARK', 'MODIFIED', 'DELETED']);
          watch.close();
          initial.close();
        }
      } finally {
        await etcd.delete({ key });
      }
    });
  }

  it('creates, updates and deletes over HTTP, seen by watches', async () => {
    for (const { apiVersion, kind, path } of [
      { apiVersion: 'v1', kind: 'ConfigMap', path: '/api/v1/namespaces/default/configmaps' },
      notes,
    ]) {
      const {
        body: {
          metadata: { resourceVersion },
        },
      } = await client.get(path);
      const watch = await client.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
      expect((await client.post(path, { apiVersion, kind, metadata: { name: 'x' } })).status).to.equal(201);
      expect((await client.patch(`${path}/x`, 'merge-patch', { metadata: { labels: { a: 'b' } } })).status).to.equal(
        200,
      );
      expect((await client.delete(`${path}/x`)).status).to.equal(200);
      await watch.atLeast(3);
      expect(
        watch.events.map(({ type }) => type),
        path,
      ).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED']);
      watch.close();
    }
  });

  it('has no cache', async () => {
    const { text } = await client.get('/metrics');
    expect(text).to.include('etcd_request_duration_seconds');
    expect(
      text.split('\n').filter((line) => /^(apiserver_)?watch_cache_(initializations|capacity)/.test(line)),
    ).to.deep.equal([]);
  });
});
