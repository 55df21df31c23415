import type { KubeObject } from '@kubechain/apimachinery';
import { MemoryStorage } from '@kubechain/shared-storage/testing';
import { createResourceCodec } from '@kubechain/shared-storage';
import type { RESTOptionsGetter, ResourceCodec } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { CRDVersions } from './crd-versions.ts';

const crd = (name: string, spec: object): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: { group: 'x.io', names: { plural: name }, ...spec },
});
const version = (name: string, served = true): object => ({
  name,
  served,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
});

/** Writes whole CRDs, reads as the codec under test does. */
function storageOf(codec: ResourceCodec): MemoryStorage {
  const plain = createResourceCodec({
    decodeObject: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as KubeObject,
    encodeObject: (object) => Buffer.from(JSON.stringify(object)),
    attributes: ({ metadata }) => ({ name: metadata?.name ?? '', namespace: '', labels: undefined, fields: {} }),
  });
  return new MemoryStorage({
    encode: (object) => plain.encode(object),
    decode: (key, value, revision) => codec.decode(key, value, revision),
  });
}

describe('CRDVersions', () => {
  let storage: MemoryStorage;
  let versions: CRDVersions;
  const seen: string[] = [];
  const key = (name: string): string => `/registry/crds/${name}`;
  const served = (): string[] =>
    [...versions.groupVersions()].map(({ group, version: name }) => `${group}/${name}`).sort();

  beforeEach(async () => {
    seen.length = 0;
    const restOptions: RESTOptionsGetter = {
      getRESTOptions: () => ({
        decorator: ({ codec }) => (storage = storageOf(codec)),
        resourcePrefix: '/crds',
        keyRoot: '/registry/crds',
        enableGarbageCollection: true,
        deleteCollectionWorkers: 1,
      }),
    };
    versions = new CRDVersions(restOptions, (error) => {
      throw error;
    });
    await storage.create(key('a'), crd('a', { versions: [version('v1'), version('v2', false)] }));
    versions.start();
    await versions.waitForSync(new AbortController().signal);
    versions.onChange((groupVersion) => {
      seen.push(`${groupVersion.group}/${groupVersion.version} ${versions.serves(groupVersion) ? 'served' : 'gone'}`);
    });
  });
  afterEach(() => versions.stop());

  it('knows what is served from the beginning', () => {
    expect(served()).to.deep.equal(['x.io/v1']);
    expect(versions.serves({ group: 'x.io', version: 'v2' })).to.equal(false);
  });

  it('sees versions come and go, whatever the conditions of their CRD', async () => {
    await storage.create(key('b'), crd('b', { versions: [version('v1'), version('v3')] }));
    expect(seen.splice(0)).to.deep.equal(['x.io/v1 served', 'x.io/v3 served']);
    await storage.delete(key('a'));
    expect(seen.splice(0)).to.deep.equal(['x.io/v1 served']);
    await storage.guaranteedUpdate(key('b'), () => ({
      object: crd('b', { versions: [version('v1', false), version('v3')] }),
    }));
    expect(seen).to.deep.equal(['x.io/v1 gone']);
    expect(served()).to.deep.equal(['x.io/v3']);
  });

  it('reads CRDs of old with one version', async () => {
    await storage.create(key('c'), crd('c', { version: 'v1alpha1' }));
    expect(served()).to.deep.equal(['x.io/v1', 'x.io/v1alpha1']);
  });
});
