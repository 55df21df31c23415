import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

describe('storage versions that are told before anything is written', () => {
  for (const topology of ['chain', 'all-in-one'])
    describe(topology, () => {
      let chain: Chain;
      let client: Client;
      before(async () => {
        chain = await startChain({
          flags: [
            `--topology=${topology}`,
            '--feature-gates=StorageVersionAPI=true',
            '--runtime-config=internal.apiserver.k8s.io/v1alpha1=true',
          ],
        });
        client = Client.fromKubeconfig(chain.kubeconfig);
      });
      after(async () => {
        client.close();
        await chain.stop();
      });

      it('are all there when the server is ready, and writes pass', async () => {
        expect((await client.get('/readyz?verbose')).text).to.include(
          '[+]poststarthook/built-in-resources-storage-version-updater ok',
        );
        const { body } = await client.get('/apis/internal.apiserver.k8s.io/v1alpha1/storageversions');
        const names = (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
        expect(names).to.include.members([
          'apiregistration.k8s.io.apiservices',
          'apiextensions.k8s.io.customresourcedefinitions',
          'core.pods',
        ]);
        const written = [
          ['/api/v1/namespaces/default/configmaps', { metadata: { name: 'written' } }],
          [
            '/apis/apiregistration.k8s.io/v1/apiservices',
            {
              metadata: { name: 'v1.a.example' },
              spec: {
                group: 'a.example',
                version: 'v1',
                groupPriorityMinimum: 1,
                versionPriority: 1,
                service: { name: 'a', namespace: 'a' },
              },
            },
          ],
        ] as const;
        for (const [path, object] of written) expect((await client.post(path, object)).status).to.equal(201);
      });
    });
});
