import { expect } from 'chai';
import { join } from 'node:path';
import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';
import { startChain } from '../harness/chain.ts';
import type { Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

describe('--storage-media-type=application/vnd.kubernetes.protobuf', () => {
  let chain: Chain;
  let client: Client;
  let etcd: EtcdClient;
  before(async () => {
    chain = await startChain({ flags: ['--storage-media-type=application/vnd.kubernetes.protobuf'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
  });
  after(async () => {
    await etcd.close();
    client.close();
    await chain.stop();
  });
  const stored = async (
    key: string,
  ): Promise<{ readonly start: string; readonly lease: bigint; readonly version: number }> => {
    const [kv] = (await etcd.range({ key })).kvs;
    return {
      start: kv?.value.subarray(0, 4).toString('latin1') ?? '',
      lease: kv?.lease ?? 0n,
      version: kv?.version ?? 0,
    };
  };

  it('writes built-in objects as protobuf, and answers with the JSON that was sent', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const created = await client.post(path, {
      metadata: { name: 'a', labels: { x: 'y' } },
      data: { k: 'v' },
      binaryData: { b: 'AQID' },
    });
    expect(created.status).to.equal(201);
    const key = '/registry/configmaps/default/a';
    expect(await stored(key)).to.deep.equal({ start: 'k8s\0', lease: 0n, version: 1 });
    expect((await client.get(`${path}/a`)).body).to.deep.equal(created.body);
    expect((await client.get(path)).body.items[0].data).to.deep.equal({ k: 'v' });
    const same = await client.put(`${path}/a`, created.body);
    expect(same.body.metadata.resourceVersion).to.equal(created.body.metadata.resourceVersion);
    expect((await stored(key)).version).to.equal(1);
    const patched = await client.patch(`${path}/a`, 'merge-patch', { data: { k: 'w' } });
    expect(patched.body.data).to.deep.equal({ k: 'w' });
    expect(await stored(key)).to.include({ start: 'k8s\0', version: 2 });
  });

  it('reads what was written as JSON', async () => {
    await etcd.put({
      key: '/registry/configmaps/default/old',
      value: Buffer.from(
        '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"old","namespace":"default","uid":"u"},' +
          '"data":{"k":"v"}}\n',
      ),
    });
    const path = '/api/v1/namespaces/default/configmaps/old';
    expect((await client.until(path, ({ status }) => status === 200)).body.data).to.deep.equal({ k: 'v' });
    await client.patch(path, 'merge-patch', { data: { k: 'w' } });
    expect((await stored('/registry/configmaps/default/old')).start).to.equal('k8s\0');
  });

  it('leaves definitions and custom resources JSON', async () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'notes.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'notes', singular: 'note', kind: 'Note' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    expect((await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)).status).to.equal(201);
    expect((await stored('/registry/apiextensions.k8s.io/customresourcedefinitions/notes.example.com')).start).to.equal(
      '{"ki',
    );
    await client.until('/apis/example.com/v1/namespaces/default/notes', ({ status }) => status === 200);
    expect(
      (
        await client.post('/apis/example.com/v1/namespaces/default/notes', {
          apiVersion: 'example.com/v1',
          kind: 'Note',
          metadata: { name: 'n' },
        })
      ).status,
    ).to.equal(201);
    expect((await stored('/registry/example.com/notes/default/n')).start.startsWith('{')).to.equal(true);
  });

  it('lets events expire', async () => {
    const event = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'ConfigMap', name: 'a', namespace: 'default' },
      reason: 'Tested',
      message: 'm',
      type: 'Normal',
    };
    expect((await client.post('/api/v1/namespaces/default/events', event)).status).to.equal(201);
    const { lease, start } = await stored('/registry/events/default/e');
    expect(start).to.equal('k8s\0');
    const seconds = await etcd.leaseTimeToLive(lease);
    // --event-ttl is an hour; a lease that objects share lasts up to a minute longer.
    expect(seconds).to.be.within(3_500, 3_660);
  });
});
