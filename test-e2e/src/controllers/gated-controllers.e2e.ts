import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import { bundleName, resources, type ResourceType } from '@kubechain/controllers';
import { expect } from 'chai';
import { requestSpec } from '../releases/pod-certificates.ts';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';
import { MovableClock } from './movable-clock.ts';

type Named<Rest> = KubeObject & { readonly metadata: ObjectMeta } & Rest;
type Bundle = Named<{ readonly spec: { readonly signerName: string; readonly trustBundle: string } }>;
type StorageVersion = Named<{
  readonly status?: {
    readonly commonEncodingVersion?: string;
    readonly storageVersions?: readonly { readonly apiServerID: string }[];
  };
}>;

const signerName = 'kubernetes.io/kube-apiserver-serving';
const gates = 'ClusterTrustBundle,PodCertificateRequest,StorageVersionAPI'.replaceAll(/\w+/g, '$&=true');
/** Releases, their version of certificates.k8s.io, and what there is to be said for them to have it. */
const releases: readonly (readonly [release: string, version: string, flags: readonly string[]])[] = [
  [
    '1.36',
    'v1beta1',
    [
      `--feature-gates=${gates}`,
      '--runtime-config=certificates.k8s.io/v1beta1=true,internal.apiserver.k8s.io/v1alpha1=true',
    ],
  ],
  [
    '1.37',
    'v1',
    [
      '--kubernetes-version=1.37',
      '--feature-gates=StorageVersionAPI=true',
      '--runtime-config=internal.apiserver.k8s.io/v1alpha1=true',
    ],
  ],
];

for (const [release, version, flags] of releases)
  describe(`controllers of ${release} whose APIs are behind feature gates`, () => {
    const certificate = (resource: string, kind: string, namespaced: boolean): object => ({
      group: 'certificates.k8s.io',
      version,
      resource,
      kind,
      namespaced,
    });
    const bundles = certificate('clustertrustbundles', 'ClusterTrustBundle', false) as ResourceType<Bundle>;
    const requests = certificate('podcertificaterequests', 'PodCertificateRequest', true) as ResourceType;
    const storageVersions: ResourceType<StorageVersion> = {
      group: 'internal.apiserver.k8s.io',
      version: 'v1alpha1',
      resource: 'storageversions',
      kind: 'StorageVersion',
      namespaced: false,
    };
    const clock = new MovableClock();
    let cluster: LiveCluster;
    before(async () => {
      cluster = await startLiveCluster({
        clock,
        controllers: [
          'storage-version-gc',
          'kube-apiserver-serving-clustertrustbundle-publisher-controller',
          'podcertificaterequest-cleaner-controller',
        ],
        flags: [...flags],
      });
    });
    after(() => cluster.stop());

    it('publish the authority of the servers, and no other', async () => {
      const { client, env } = cluster;
      const authority = readFileSync(join(env.dataDir, 'pki/ca.crt'), 'utf8');
      const name = bundleName(signerName, authority);
      const published = (): Promise<Bundle> =>
        eventually(() => client.resource(bundles).get({ name }), { withinMs: 60_000 });
      const { metadata, spec } = await published();
      expect(spec).to.deep.equal({ signerName, trustBundle: authority });
      const other = bundleName(signerName, 'old');
      await client.resource(bundles).create({ metadata: { name: other }, spec: { ...spec, trustBundle: authority } });
      await eventually(
        async () => (await client.resource(bundles).list()).items.every((each) => each.metadata.name !== other),
        { withinMs: 60_000 },
      );
      await client.resource(bundles).delete({ name });
      const again = await eventually(
        async () => {
          const found = await published();
          return found.metadata.uid !== metadata.uid && found;
        },
        { withinMs: 60_000 },
      );
      expect(again.spec).to.deep.equal(spec);
    });

    it('forget what servers stored that are gone', async () => {
      const { client } = cluster;
      const versions = client.resource(storageVersions);
      const own = await eventually(
        async () => {
          const { items } = await versions.list();
          return items.find(({ status }) => status?.commonEncodingVersion === 'apps/v1');
        },
        { withinMs: 60_000 },
      );
      const live = own.status?.storageVersions?.[0];
      const gone = {
        apiServerID: 'kube-apiserver-gone',
        encodingVersion: 'apps/v9',
        decodableVersions: ['apps/v9'],
        servedVersions: ['apps/v9'],
      };
      const namespace = 'kube-system';
      await client.resource(resources.leases).create({
        metadata: {
          namespace,
          name: gone.apiServerID,
          labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' },
        },
        spec: {
          holderIdentity: 'gone',
          leaseDurationSeconds: 3600,
          renewTime: new Date().toISOString().replace('Z', '000Z'),
        },
      });
      // So that the controller knows of the lease.
      await client.resource(resources.leases).get({ namespace, name: gone.apiServerID });
      const test = await versions.create({ metadata: { name: 'example.com.widgets' } });
      await versions.updateStatus({
        ...test,
        status: { storageVersions: [gone], commonEncodingVersion: 'apps/v9' },
      } as StorageVersion);
      const { name } = own.metadata;
      await eventually(
        async () => {
          const found = await versions.get({ name: name ?? '' });
          await versions.updateStatus({
            ...found,
            status: { storageVersions: [...(found.status?.storageVersions ?? []), gone] },
          });
          return true;
        },
        { withinMs: 60_000 },
      );
      await client.resource(resources.leases).delete({ namespace, name: gone.apiServerID });
      await eventually(
        async () => {
          const { items } = await versions.list();
          const left = items.find(({ metadata }) => metadata.name === name);
          const ids = left?.status?.storageVersions?.map(({ apiServerID }) => apiServerID);
          return (
            ids?.length === 1 &&
            ids[0] === live?.apiServerID &&
            left?.status?.commonEncodingVersion === 'apps/v1' &&
            items.every(({ metadata }) => metadata.name !== 'example.com.widgets')
          );
        },
        { withinMs: 60_000 },
      );
    });

    it('forget servers that never were', async () => {
      const versions = cluster.client.resource(storageVersions);
      const made = await versions.create({ metadata: { name: 'example.com.gadgets' } });
      const never = {
        apiServerID: 'never',
        encodingVersion: 'v1',
        decodableVersions: ['v1'],
        servedVersions: ['v1'],
      };
      await versions.updateStatus({
        ...made,
        status: { storageVersions: [never], commonEncodingVersion: 'v1' },
      } as StorageVersion);
      await eventually(
        async () => (await versions.list()).items.every(({ metadata }) => metadata.name !== 'example.com.gadgets'),
        { withinMs: 60_000 },
      );
    });

    it('delete requests for certificates of pods after a quarter of an hour', async () => {
      const { client } = cluster;
      const namespace = 'default';
      await client.resource(requests).create({
        metadata: { namespace, name: 'a' },
        spec: requestSpec,
      });
      const left = async (): Promise<number> => (await client.resource(requests).list({ namespace })).items.length;
      clock.putOn(10 * 60_000);
      await client.resource(resources.namespaces).get({ name: namespace });
      expect(await left()).to.equal(1);
      clock.putOn(6 * 60_000);
      await eventually(async () => (await left()) === 0, { withinMs: 60_000 });
    });
  });
