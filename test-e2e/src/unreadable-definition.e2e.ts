import { createEtcdClient, type EtcdClient } from '@kubechain/shared-storage/etcd';
import { freePort } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAllInOne } from 'kubechain/all-in-one';
import { startChain } from './harness/chain.ts';
import { Client } from './harness/client.ts';
import { startEmbeddedStore } from './harness/embedded-store.ts';
import type { Program } from './harness/program.ts';

const unreadable = '/registry/apiextensions.k8s.io/customresourcedefinitions/bogus';
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

/** Runs the servers; resolves when they are ready. */
type Run = (options: {
  readonly port: number;
  readonly dataDir: string;
  readonly flags: readonly string[];
}) => Promise<() => Promise<unknown>>;

const topologies: readonly (readonly [name: string, run: Run])[] = [
  [
    'servers in one process',
    async ({ port: securePort, ...options }) => {
      const cluster = await startAllInOne({ ...options, securePort });
      return () => cluster.close();
    },
  ],
  [
    'a process for each server',
    async (options) => {
      const chain = await startChain(options);
      return () => chain.stop();
    },
  ],
];

for (const [name, run] of topologies)
  describe(`a definition in etcd that cannot be read, and ${name}`, () => {
    let folder: string;
    let store: Program & { readonly url: string };
    let etcd: EtcdClient;
    let client: Client;
    let running: Promise<() => Promise<unknown>>;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'kubechain-unreadable-'));
      store = await startEmbeddedStore(join(folder, 'store.db'));
      etcd = createEtcdClient({ endpoints: [store.url] });
      await etcd.put({ key: unreadable, value: Buffer.from('bogus data') });
      const put = (key: string, object: unknown): Promise<unknown> =>
        etcd.put({ key: `/registry/${key}`, value: Buffer.from(JSON.stringify(object)) });
      await put('apiextensions.k8s.io/customresourcedefinitions/widgets.valid.example.com', definition);
      for (const group of ['valid', 'stale'])
        await put(`apiregistration.k8s.io/apiservices/v1.${group}.example.com`, registered(`${group}.example.com`));
      const tokens = join(folder, 'tokens.csv');
      writeFileSync(tokens, 'secret,admin,1,"system:masters"\n');
      const port = await freePort();
      client = new Client(`https://127.0.0.1:${port}`, { kind: 'token', token: 'secret' });
      const flags = [`--etcd-servers=${store.url}`, `--token-auth-file=${tokens}`];
      running = run({ port, dataDir: join(folder, 'data'), flags });
      running.catch(() => undefined);
    });
    after(async () => {
      await etcd.delete({ key: unreadable });
      await (
        await running
      )();
      client.close();
      await etcd.close();
      await store.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** A server that does not listen yet is asked again. */
    const ask = async (path: string): Promise<number> => {
      for (;;) {
        try {
          return (await client.get(path)).status;
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    };
    const until = async (path: string, status: number): Promise<void> => {
      while ((await ask(path)) !== status) await new Promise((resolve) => setTimeout(resolve, 100));
    };

    it('keeps them from being ready, from custom resources, and from nothing else', async () => {
      await until('/api/v1/namespaces/default', 200);
      const notYet = await client.get('/apis/valid.example.com/v1/namespaces/default/widgets');
      expect(notYet.body).to.deep.include({
        code: 503,
        message: 'the request has been made before all known HTTP paths have been installed, please retry',
      });
      expect((await client.get('/readyz')).text).to.include('poststarthook/crd-informer-synced failed');
      const created = await client.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
      expect(created.status).to.equal(201);
      for (const group of ['valid', 'stale'])
        expect((await client.get(`${apiServices}/v1.${group}.example.com`)).status, group).to.equal(200);
    });

    it('is forgotten once it is gone', async () => {
      await etcd.delete({ key: unreadable });
      await running;
      await until(`${apiServices}/v1.stale.example.com`, 404);
      expect((await client.get(`${apiServices}/v1.valid.example.com`)).status).to.equal(200);
      expect((await client.get('/apis/valid.example.com/v1/namespaces/default/widgets')).status).to.equal(200);
    });
  });

const names = { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.valid.example.com', uid: 'a', creationTimestamp: '2022-06-08T23:46:32Z' },
  spec: { scope: 'Namespaced', group: 'valid.example.com', version: 'v1', names },
  status: {
    acceptedNames: names,
    conditions: ['NamesAccepted', 'Established'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: '2023-05-18T15:03:57Z',
    })),
    storedVersions: ['v1'],
  },
};

const registered = (group: string): object => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: {
    name: `v1.${group}`,
    uid: 'a',
    creationTimestamp: '2022-06-08T23:46:32Z',
    labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' },
  },
  spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
});
