import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { expect } from 'chai';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

interface Discovery {
  readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
  readonly resources: readonly { readonly name: string }[];
}

/** Compared with kube-apiserver 1.36.2 with the same flag. */
describe('a chain that behaves as an earlier release', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain({ flags: ['--kubernetes-version=1.36', '--emulated-version=1.33'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(() => chain.stop());

  const discovery = async (path: string): Promise<Discovery> => {
    return (await client.get(path)).body as Discovery;
  };

  it('says so in /version', async () => {
    const { emulationMinor, minCompatibilityMinor, minor } = (await client.get('/version')).body as Record<
      string,
      string
    >;
    expect({ minor, emulationMinor, minCompatibilityMinor }).to.deep.equal({
      minor: '36',
      emulationMinor: '33',
      minCompatibilityMinor: '33',
    });
  });

  it('does not serve what came later', async () => {
    const { groups } = await discovery('/apis');
    expect(groups.map(({ name }) => name)).not.to.include('resource.k8s.io');
    const { resources } = await discovery('/apis/admissionregistration.k8s.io/v1');
    expect(resources.map(({ name }) => name)).to.deep.equal([
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicies/status',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
    ]);
    const { status } = await client.get('/apis/storage.k8s.io/v1/volumeattributesclasses');
    expect(status).to.equal(404);
  });

  it('has the features of that release', async () => {
    const { text } = await client.get('/metrics');
    const gate = (name: string): string | undefined =>
      new RegExp(`^kubernetes_feature_enabled\\{name="${name}".*$`, 'm').exec(text)?.[0];
    expect(gate('MutatingAdmissionPolicy')).to.equal(
      'kubernetes_feature_enabled{name="MutatingAdmissionPolicy",stage="ALPHA"} 0',
    );
    expect(gate('AtomicFIFO')).to.equal(undefined);
    expect(text).to.include('emulation="1.33",min_compat="1.33"');
  });
});

/** Compared with kube-apiserver 1.36.2 with the same flags: hashes of storage versions in discovery, and etcd. */
describe('a chain beside which earlier releases must be able to run', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain({
      flags: [
        '--kubernetes-version=1.36',
        '--emulated-version=1.34',
        '--runtime-config=resource.k8s.io/v1beta1=true',
        '--emulation-forward-compatible',
      ],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(() => chain.stop());

  it('stores in versions that they can read, and serves the same objects in all', async () => {
    const classes = '/apis/resource.k8s.io/v1/deviceclasses';
    const made = await client.post(classes, {
      metadata: { name: 'c' },
      spec: { selectors: [{ cel: { expression: 'true' } }] },
    });
    expect(made.status).to.equal(201);
    expect((await client.patch(`${classes}/c`, 'merge-patch', { metadata: { labels: { a: 'b' } } })).status).to.equal(
      200,
    );
    const etcd = createEtcdClient({ endpoints: [`unix:${join(chain.dataDir, 'run/etcd.sock')}`] });
    const { kvs } = await etcd.range({ key: '/registry/deviceclasses/c' });
    await etcd.close();
    const stored = JSON.parse(Buffer.from(kvs[0]?.value ?? []).toString('utf8')) as { readonly apiVersion: string };
    expect(stored).to.deep.include({ apiVersion: 'resource.k8s.io/v1beta2', kind: 'DeviceClass' });
    for (const version of ['v1', 'v1beta2', 'v1beta1']) {
      const { body } = await client.get(`/apis/resource.k8s.io/${version}/deviceclasses/c`);
      expect(body).to.deep.include({
        apiVersion: `resource.k8s.io/${version}`,
        spec: { selectors: [{ cel: { expression: 'true' } }] },
      });
      expect(body.metadata.labels).to.deep.equal({ a: 'b' });
    }
  });

  it('tells the hashes of those versions', async () => {
    const { resources } = (await client.get('/apis/resource.k8s.io/v1')).body as {
      readonly resources: readonly { readonly name: string; readonly storageVersionHash?: string }[];
    };
    expect(resources.find(({ name }) => name === 'deviceclasses')?.storageVersionHash).to.equal('weQRMT6DeYM=');
  });
});
