import { expect } from 'chai';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

describe('controllers of service accounts', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({ controllers: ['serviceaccount', 'root-ca-cert-publisher'] });
  });
  after(() => cluster.stop());

  it('give a new namespace a default service account and the root CA within a second', async () => {
    const { client, env } = cluster;
    await client.resource(resources.namespaces).create({ metadata: { name: 'fresh' } });
    const [account, ca] = await Promise.all([
      eventually(() => client.resource(resources.serviceaccounts).get({ namespace: 'fresh', name: 'default' }), {
        withinMs: 1000,
      }),
      eventually(() => client.resource(resources.configmaps).get({ namespace: 'fresh', name: 'kube-root-ca.crt' }), {
        withinMs: 1000,
      }),
    ]);
    expect(account.metadata?.uid).to.be.a('string');
    expect(ca.data).to.deep.equal({ 'ca.crt': env.caCertificate });
  });

  it('put back what was deleted or changed', async () => {
    const { client } = cluster;
    const accounts = client.resource(resources.serviceaccounts);
    const configMaps = client.resource(resources.configmaps);
    const first = await eventually(() => accounts.get({ namespace: 'default', name: 'default' }));
    await accounts.delete({ namespace: 'default', name: 'default' });
    await eventually(async () => {
      const again = await accounts.get({ namespace: 'default', name: 'default' });
      return again.metadata?.uid !== first.metadata?.uid;
    });
    await configMaps.patch(
      { namespace: 'default', name: 'kube-root-ca.crt' },
      { data: { 'ca.crt': 'other', more: 'x' } },
    );
    await eventually(async () => {
      const { data } = await configMaps.get({ namespace: 'default', name: 'kube-root-ca.crt' });
      return Object.keys(data ?? {}).length === 1 && data?.['ca.crt'] !== 'other';
    });
  });

  it('act with accounts of their own', async () => {
    const accounts = await cluster.client.resource(resources.serviceaccounts).list({ namespace: 'kube-system' });
    expect(accounts.items.map(({ metadata }) => metadata?.name)).to.include.members([
      'service-account-controller',
      'root-ca-cert-publisher',
    ]);
  });
});
