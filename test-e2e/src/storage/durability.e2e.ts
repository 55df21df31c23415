import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

const widgets = {
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
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { text: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

describe('what was written', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'kubechain-durable-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('survives a restart: built-in, custom, APIService, with uid and resourceVersion', async () => {
    const paths = [
      '/api/v1/namespaces/default/configmaps/kept',
      '/apis/example.com/v1/namespaces/default/notes/kept',
      '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps',
    ];
    const first = await startChain({ dataDir });
    const before = Client.fromKubeconfig(first.kubeconfig);
    expect(
      (
        await before.post('/api/v1/namespaces/default/configmaps', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'kept' },
          data: { a: 'b' },
        })
      ).status,
    ).to.equal(201);
    expect((await before.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets)).status).to.equal(
      201,
    );
    const note = { apiVersion: 'example.com/v1', kind: 'Note', metadata: { name: 'kept' }, spec: { text: 'hello' } };
    expect((await before.post('/apis/example.com/v1/namespaces/default/notes', note)).status).to.equal(201);
    const written = await Promise.all(paths.map(async (path) => (await before.get(path)).body as unknown));
    before.close();
    expect(await first.stop()).to.equal(0);

    const second = await startChain({ dataDir });
    const after = Client.fromKubeconfig(second.kubeconfig);
    try {
      for (const [i, path] of paths.entries()) expect((await after.get(path)).body, path).to.deep.equal(written[i]);
    } finally {
      after.close();
      await second.stop();
    }
  });

  it('survives kill -9 of everything, once it was acknowledged', async () => {
    const first = await startChain({ dataDir });
    const before = Client.fromKubeconfig(first.kubeconfig);
    let acknowledged = 0;
    const writing = (async () => {
      for (let i = 0; i < 10_000; i++) {
        const answer = await before.post('/api/v1/namespaces/default/configmaps', { metadata: { name: `n-${i}` } });
        if (answer.status !== 201) return;
        acknowledged++;
      }
    })().catch(() => undefined);
    while (acknowledged < 50) await new Promise((resolve) => setTimeout(resolve, 5));
    const { pidOf } = await import('../harness/process-of.ts');
    for (const name of ['etcd', 'apiextensions', 'kube-apiserver', 'aggregator'] as const)
      process.kill(pidOf(dataDir, name), 'SIGKILL');
    first.kill('SIGKILL');
    await first.stop();
    await writing;
    before.close();

    const second = await startChain({ dataDir });
    const after = Client.fromKubeconfig(second.kubeconfig);
    try {
      const list = await after.get('/api/v1/namespaces/default/configmaps');
      const names = new Set((list.body.items as { metadata: { name: string } }[]).map((item) => item.metadata.name));
      for (let i = 0; i < acknowledged; i++) expect(names.has(`n-${i}`), `n-${i} of ${acknowledged}`).to.equal(true);
    } finally {
      after.close();
      await second.stop();
    }
  });
});
