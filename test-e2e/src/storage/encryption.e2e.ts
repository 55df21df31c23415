import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';
import { FakeKMSPlugin } from '@kubechain/shared-storage/testing';
import { startChain } from '../harness/chain.ts';
import type { Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

describe('encryption at rest with a KMS plugin', () => {
  const plugin = new FakeKMSPlugin();
  let folder: string;
  let chain: Chain;
  let client: Client;
  let etcd: EtcdClient;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-kms-'));
    const configuration = join(folder, 'encryption.yaml');
    writeFileSync(
      configuration,
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'EncryptionConfiguration',
        resources: [
          {
            resources: ['secrets'],
            providers: [
              { kms: { apiVersion: 'v2', name: 'fake', endpoint: `unix://${join(folder, 'kms.sock')}` } },
              { identity: {} },
            ],
          },
        ],
      }),
    );
    chain = await startChain({
      flags: [`--encryption-provider-config=${configuration}`, '--encryption-provider-config-automatic-reload'],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
    etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
  });
  after(async () => {
    await etcd.close();
    client.close();
    await chain.stop();
    await plugin.close();
    rmSync(folder, { recursive: true });
  });

  it('waits for the plugin in readiness, not in liveness, and then encrypts', async () => {
    const ready = await client.get('/readyz?verbose');
    expect(ready.status).to.equal(500);
    expect(ready.text)
      .to.contain('[-]kms-providers failed: reason withheld\n')
      .and.to.contain('[+]poststarthook/start-encryption-provider-config-automatic-reload ok\n');
    expect((await client.get('/livez?verbose')).text).not.to.contain('kms-providers');
    expect((await client.post('/api/v1/namespaces/default/secrets', { metadata: { name: 'early' } })).status).to.equal(
      500,
    );

    await plugin.listen(join(folder, 'kms.sock'));
    await client.until('/healthz/kms-providers', ({ status }) => status === 200);
    await client.until('/readyz', ({ status }) => status === 200);
    expect(
      (await client.post('/api/v1/namespaces/default/secrets', { metadata: { name: 'kept' }, stringData: { k: 'v' } }))
        .status,
    ).to.equal(201);
    const [stored] = (await etcd.range({ key: '/registry/secrets/default/kept' })).kvs;
    expect(stored?.value.subarray(0, 21).toString('latin1')).to.equal('k8s:enc:kms:v2:fake:\n');
    expect((await client.get('/api/v1/namespaces/default/secrets/kept')).body.data).to.deep.equal({ k: 'dg==' });
    const { text } = await client.get('/metrics');
    expect(text).to.match(
      /^apiserver_storage_transformation_operations_total\{resource="secrets",transformation_type="to_storage",transformer_prefix="k8s:enc:kms:v2:fake:",status="OK"\} 1$/m,
    );
    expect(text).to.match(
      /^apiserver_envelope_encryption_key_id_hash_total\{transformation_type="to_storage",provider_name="fake",key_id_hash="sha256:[0-9a-f]{64}",apiserver_id_hash="sha256:[0-9a-f]{64}"\} 1$/m,
    );
  });
});
