import { expect } from 'chai';
import { isNotFound } from '@kubechain/apimachinery';
import { Client, Http2Transport, resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

describe('controllers of service accounts', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['serviceaccount', 'root-ca-cert-publisher', 'serviceaccount-token'],
    });
  });
  after(() => cluster.stop());

  it('give a new namespace a default service account and the root CA', async () => {
    const { client, env } = cluster;
    await client.resource(resources.namespaces).create({ metadata: { name: 'fresh' } });
    const [account, ca] = await Promise.all([
      eventually(() => client.resource(resources.serviceaccounts).get({ namespace: 'fresh', name: 'default' })),
      eventually(() => client.resource(resources.configmaps).get({ namespace: 'fresh', name: 'kube-root-ca.crt' })),
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

  it('fill a secret with a token of its account, and take it away with the account', async () => {
    const { client, env } = cluster;
    const namespace = 'default';
    const secrets = client.resource(resources.secrets);
    await client.resource(resources.serviceaccounts).create({ metadata: { namespace, name: 'robot' } });
    await secrets.create({
      metadata: { namespace, name: 'robot-token', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
      type: 'kubernetes.io/service-account-token',
    });
    const secret = await eventually(async () => {
      const found = await secrets.get({ namespace, name: 'robot-token' });
      return found.data?.['token'] === undefined ? undefined : found;
    });
    const text = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
    expect([text('namespace'), text('ca.crt')]).to.deep.equal([namespace, env.caCertificate]);
    const transport = new Http2Transport({ server: env.url, ca: env.caCertificate });
    const robot = new Client({ transport, userAgent: 'robot', token: () => text('token') });
    const review = await robot.resource(resources.selfsubjectreviews).create({});
    transport.close();
    expect(review.status?.userInfo?.username).to.equal('system:serviceaccount:default:robot');
    await client.resource(resources.serviceaccounts).delete({ namespace, name: 'robot' });
    await eventually(() =>
      secrets.get({ namespace, name: 'robot-token' }).then(
        () => false,
        (error: unknown) => isNotFound(error),
      ),
    );
  });
});
