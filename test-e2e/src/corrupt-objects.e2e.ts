import { expect } from 'chai';
import { join } from 'node:path';
import { createEtcdClient } from '@kubechain/shared-storage';
import type { EtcdClient } from '@kubechain/shared-storage';
import { startChain } from './harness/chain.ts';
import type { Chain } from './harness/chain.ts';
import { Client } from './harness/client.ts';

describe('objects in etcd that cannot be read', () => {
  let chain: Chain;
  let client: Client;
  let etcd: EtcdClient;
  const collection = '/api/v1/namespaces/default/secrets';
  before(async () => {
    chain = await startChain({ flags: ['--feature-gates=AllowUnsafeMalformedObjectDeletion=true'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
  });
  after(async () => {
    await etcd.close();
    client.close();
    await chain.stop();
  });

  it('are named by lists, deleted only by those who say so, and gone then', async () => {
    const key = '/registry/secrets/default/broken';
    expect((await client.post(collection, { metadata: { name: 'good' } })).status).to.equal(201);
    await etcd.put({ key, value: Buffer.from('k8s:enc:aescbc:v1:lost:garbage') });

    const list = await client.until(`${collection}?limit=500`, ({ status }) => status === 500);
    expect(list.body).to.deep.include({ reason: 'StorageReadError', message: 'failed to read one or more secrets from the storage' });
    expect(list.body.details).to.deep.include({ name: 'list', kind: 'secrets' });
    expect(list.body.details.causes).to.have.lengthOf(1);
    expect(list.body.details.causes[0]).to.include({ reason: 'UnexpectedServerResponse', field: key });

    const plain = await client.delete(`${collection}/broken`);
    expect(plain.status).to.equal(500);
    expect(plain.body.message).to.match(/^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/secrets\/default\/broken, ResourceVersion: 0, AdditionalErrorMsg: /);

    const unsafe = await client.delete(`${collection}/broken`, { body: { kind: 'DeleteOptions', apiVersion: 'v1', ignoreStoreReadErrorWithClusterBreakingPotential: true } });
    expect(unsafe.body).to.deep.equal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { name: 'broken', kind: 'Secret' }, code: 200 });
    expect((await client.get(`${collection}/broken`)).status).to.equal(404);
    const readable = await client.until(collection, ({ status }) => status === 200);
    expect((readable.body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)).to.deep.equal(['good']);
  });
});
