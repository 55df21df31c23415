import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { ClusterThread } from 'kubechain';
import { freePort } from '@kubechain/shared-storage/testing';
import { startAllInOne, type AllInOne } from 'kubechain/all-in-one';
import { startChain } from './harness/chain.ts';
import { Client } from './harness/client.ts';

const boats = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    scope: 'Namespaced',
    names: { plural: 'boats', kind: 'Boat' },
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
const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('all servers in one process', () => {
  let cluster: AllInOne;
  let admin: Client;
  before(async () => {
    cluster = await startAllInOne();
    admin = Client.fromKubeconfig(cluster.kubeconfig);
  });
  after(async () => {
    admin?.close();
    await cluster?.close();
  });

  it('answers from all three, and 404 behind them', async () => {
    for (const [path, status] of [
      ['/apis/apiregistration.k8s.io/v1/apiservices/v1.apps', 200],
      ['/api/v1/namespaces/kube-system', 200],
      ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 200],
      ['/readyz', 200],
      ['/openapi/v2', 200],
      ['/apis/nobody.example.com/v1/things', 404],
      ['/nowhere', 404],
    ] as const)
      expect((await admin.get(path)).status, path).to.equal(status);
    const { body } = await admin.get('/apis');
    expect((body.groups as { name: string }[]).map(({ name }) => name)).to.include.members([
      'apiregistration.k8s.io',
      'apps',
      'apiextensions.k8s.io',
    ]);
    expect((await admin.get('/readyz?verbose')).text).to.include('[+]poststarthook/crd-informer-synced ok');
  });

  it('defines, stores, watches and deletes', async () => {
    const created = await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', boats);
    expect(created.status, created.text).to.equal(201);
    const path = '/apis/sea.example.com/v1/namespaces/default/boats';
    await admin.until(path, (answer) => answer.status === 200);
    const watch = await admin.watch(`${path}?watch=1`);
    const boat = { apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { name: 'argo' }, oars: 50 };
    expect((await admin.post(path, boat)).status).to.equal(201);
    await watch.atLeast(1);
    expect((await admin.delete(`${path}/argo`)).status).to.equal(200);
    await watch.atLeast(2);
    expect(watch.events.map(({ object, type }) => [type, object.metadata.name, object.oars])).to.deep.equal([
      ['ADDED', 'argo', 50],
      ['DELETED', 'argo', 50],
    ]);
    watch.close();
  });

  it('stops with open watches, and leaves nothing', async () => {
    const other = await startAllInOne();
    const client = Client.fromKubeconfig(other.kubeconfig);
    const watches = await Promise.all(
      ['configmaps', 'secrets', 'namespaces'].map((plural) => client.watch(`/api/v1/${plural}?watch=1`)),
    );
    await Promise.all([other.close(), ...watches.map(({ ended }) => ended)]);
    await other.ended;
    client.close();
    expect(existsSync(other.dataDir)).to.equal(false);
    // The first cluster goes on.
    expect((await admin.get('/readyz')).text).to.equal('ok');
  });

  it('keeps what a data directory has', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-all-in-one-'));
    try {
      for (const status of [201, 409]) {
        const kept = await startAllInOne({ dataDir });
        const client = Client.fromKubeconfig(kept.kubeconfig);
        expect((await client.post(configMaps, configMap('kept'))).status).to.equal(status);
        client.close();
        await kept.close();
      }
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('runs controllers beside the servers where they are asked for', async () => {
    const looked = await startAllInOne({ controllers: 'lifecycle', flags: ['--concurrent-namespace-syncs=2'] });
    const client = Client.fromKubeconfig(looked.kubeconfig);
    await client.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tended' } });
    await client.until('/api/v1/namespaces/tended/serviceaccounts/default', ({ status }) => status === 200);
    await client.delete('/api/v1/namespaces/tended');
    await client.until('/api/v1/namespaces/tended', ({ status }) => status === 404);
    client.close();
    await looked.close();
    await looked.ended;
  });

  it('tells the port that a flag names', async () => {
    const port = await freePort();
    const named = await startAllInOne({ flags: [`--secure-port=${port}`] });
    expect(named.url).to.equal(`https://127.0.0.1:${port}`);
    const client = Client.fromKubeconfig(named.kubeconfig);
    expect((await client.get('/readyz')).status).to.equal(200);
    client.close();
    await named.close();
    await named.ended;
  });

  it('says what is wrong with a flag, and leaves nothing open', async () => {
    for (const [flag, message] of [
      ['--nonsense', 'unknown flag: --nonsense'],
      ['--enable-admission-plugins=Nobody', '--enable-admission-plugins plugin "Nobody" is unknown'],
      ['--client-ca-file=/nowhere', '--client-ca-file'],
    ] as const) {
      const error = await startAllInOne({ flags: [flag] }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(String(error)).to.include(message);
    }
  });
});

describe('clusters on a thread of their own', () => {
  const thread = new ClusterThread();
  after(() => thread.close());

  it('answer while this thread is busy', async () => {
    const lines: string[] = [];
    const cluster = await thread.start({ flags: ['-v=3'], onLog: (line) => void lines.push(line) });
    const script = `
      const { get } = require('node:https');
      get(process.argv[1] + '/readyz', { ca: process.argv[2] }, (response) => {
        response.on('data', (data) => process.stdout.write(data));
      });`;
    // Nothing else happens on this thread until the other process has its answer.
    const answer = execFileSync(process.execPath, ['-e', script, cluster.url, cluster.caCertificate], {
      timeout: 60_000,
      encoding: 'utf8',
    });
    expect(answer).to.equal('ok');
    await cluster.close();
    await cluster.ended;
    expect(lines.some((line) => line.includes('/readyz'))).to.equal(true);
    expect(existsSync(cluster.dataDir)).to.equal(false);
  });

  it('run side by side, say why they do not start, and begin anew after the end of the thread', async () => {
    const clusters = await Promise.all([thread.start(), thread.start()]);
    expect(new Set(clusters.map(({ url }) => url)).size).to.equal(2);
    const error = await thread.start({ flags: ['--nonsense'] }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(String(error)).to.equal('LaunchError: unknown flag: --nonsense');
    await thread.close();
    await Promise.all(clusters.map(({ ended }) => ended));
    const again = await thread.start();
    await again.close();
  });

  it('end with the thread while they start', async () => {
    const starting = thread.start();
    await thread.close();
    await (
      await starting
    ).ended;
  });
});

describe('kubechain up --topology all-in-one', () => {
  it('serves, keeps what it was given, and ends in order', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-up-'));
    try {
      for (const status of [201, 409]) {
        const chain = await startChain({ dataDir, flags: ['--topology', 'all-in-one', '-v', '1'] });
        const client = Client.fromKubeconfig(chain.kubeconfig);
        expect((await client.post(configMaps, configMap('kept'))).status).to.equal(status);
        client.close();
        expect(await chain.stop()).to.equal(0);
      }
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });
});
