import { expect } from 'chai';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

const peerID = 'apiserver-other';
/** Served by the peer alone. */
const addresses = '/apis/networking.k8s.io/v1beta1/ipaddresses';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly { readonly version: string }[];
  }[];
}

/** The peer has a store of its own here, so that it shows who has answered. */
describe('requests for what only another API server serves', () => {
  let folder: string;
  let peer: Chain;
  let chain: Chain;
  let client: Client;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-peers-'));
    peer = await startChain({
      dataDir: join(folder, 'peer'),
      flags: ['--runtime-config=networking.k8s.io/v1beta1=true'],
    });
    // They trust each other's certificates, as servers of one cluster do.
    cpSync(join(folder, 'peer/pki'), join(folder, 'chain/pki'), { recursive: true });
    chain = await startChain({
      dataDir: join(folder, 'chain'),
      flags: [`--peer-ca-file=${join(folder, 'peer/pki/ca.crt')}`],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
    await announcePeer();
    await client.until(addresses, ({ status }) => status === 200);
  });
  after(async () => {
    client?.close();
    await Promise.all([chain?.stop(), peer?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** As an API server over the same store says that it lives, and where. */
  async function announcePeer(): Promise<void> {
    const etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
    const endpoints = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { labels: { apiserverIdentity: peerID } },
      subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ name: 'https', port: peer.port, protocol: 'TCP' }] }],
    };
    await etcd.put({ key: `/registry/peerserverleases/${peerID}`, value: Buffer.from(JSON.stringify(endpoints)) });
    await etcd.close();
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: peerID, labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } },
      spec: {
        holderIdentity: `${peerID}_1`,
        leaseDurationSeconds: 3_600,
        renewTime: new Date().toISOString().replace('Z', '000Z'),
      },
    };
    const { status, text } = await client.post('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases', lease);
    expect(status, text).to.equal(201);
  }

  it('are answered by it', async () => {
    const { body } = await client.get(addresses);
    expect([body.kind, body.apiVersion]).to.deep.equal(['IPAddressList', 'networking.k8s.io/v1beta1']);
  });

  it('are answered by it in the name of who asks', async () => {
    const user = { 'Impersonate-User': 'nobody', 'Impersonate-Group': 'system:masters' };
    const invalid = { apiVersion: 'networking.k8s.io/v1beta1', kind: 'IPAddress', metadata: { name: 'x' } };
    const { body, status } = await client.call('POST', addresses, { headers: user, body: invalid });
    expect([status, body.reason]).to.deep.equal([422, 'Invalid']);
    const stranger = await client.call('GET', addresses, { headers: { 'Impersonate-User': 'nobody' } });
    expect([stranger.status, stranger.body.message]).to.deep.equal([
      403,
      'ipaddresses.networking.k8s.io is forbidden: User "nobody" cannot list resource "ipaddresses" in API group ' +
        '"networking.k8s.io" at the cluster scope',
    ]);
  });

  it('are not handed on a second time', async () => {
    const { status } = await client.call('GET', addresses, { headers: { 'X-Kubernetes-Peer-Proxied': 'true' } });
    expect(status).to.equal(404);
  });

  it('are watched there', async () => {
    const stream = await client.watch(`${addresses}?watch=1`);
    await stream.atLeast(1);
    expect(stream.events[0]?.object.kind).to.equal('IPAddress');
    stream.close();
  });

  it('are for resources that discovery shows, unless it is asked for this server alone', async () => {
    const versions = async (accept: string): Promise<readonly string[]> => {
      const { body } = await client.call('GET', '/apis', { headers: { accept } });
      const group = (body as Discovery).items.find(({ metadata }) => metadata.name === 'networking.k8s.io');
      return group?.versions.map(({ version }) => version) ?? [];
    };
    expect([await versions(aggregated), await versions(`${aggregated};profile=nopeer`)]).to.deep.equal([
      ['v1', 'v1beta1'],
      ['v1'],
    ]);
  });

  it('are counted', async () => {
    const { text } = await client.get('/metrics');
    expect(text).to.match(
      /apiserver_rerouted_request_total\{code="200",group="networking.k8s.io",version="v1beta1",resource="ipaddresses"\} \d/,
    );
  });

  it('get 503 where it has told no address', async () => {
    const etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
    await etcd.delete({ key: `/registry/peerserverleases/${peerID}` });
    await etcd.close();
    const { body, status } = await client.get(addresses);
    expect([status, body.message]).to.deep.equal([
      503,
      'Error getting ip and port info of the remote server while proxying',
    ]);
  });
});
