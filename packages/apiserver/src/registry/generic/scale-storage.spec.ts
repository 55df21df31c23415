import { builtinScheme, StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { MemoryStorage } from '@kubechain/shared-storage/testing';
import { internalContext } from '../rest/internal-context.ts';
import { resourceCodec } from './resource-codec.ts';
import type { ResourceSpec } from './resource-spec.ts';
import { createScaleStorage } from './scale-storage.ts';
import { Store } from './store.ts';
import type { RESTStorage } from '../rest/storage.ts';

const apps = { group: 'apps', version: 'v1' };
const spec: ResourceSpec = {
  scheme: builtinScheme(),
  group: 'apps',
  plural: 'replicasets',
  singular: 'replicaset',
  kind: 'ReplicaSet',
  namespaced: true,
  memoryVersion: apps,
};
const context = internalContext({ groupResource: { group: 'apps', resource: 'replicasets' }, namespace: 'a' });
const accept = (): void => undefined;
const write = { dryRun: false, fieldManager: '', fieldValidation: 'Strict' };

describe('Scale of built-in workloads', () => {
  let store: Store;
  let scale: RESTStorage;

  beforeEach(async () => {
    let uids = 0;
    store = new Store({
      spec,
      storage: new MemoryStorage(resourceCodec(spec)),
      keyRoot: '/registry/replicasets',
      enableGarbageCollection: true,
      deleteCollectionWorkers: 1,
      environment: { clock: { now: () => 0 }, newUID: () => `uid-${++uids}`, random: () => 0.5 },
    });
    await store.create(
      context,
      '',
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'x' }, spec: { replicas: 1 } } as KubeObject,
      { ...write, validate: accept },
    );
    scale = createScaleStorage(store, {
      readSpecReplicas: () => 1,
      writeSpecReplicas: accept,
      readStatusReplicas: () => 0,
      readSelector: () => '',
    });
  });

  /** Why a Scale with these metadata is refused. */
  async function refusal(metadata: object): Promise<string> {
    const info = {
      preconditions: undefined,
      updatedObject: (_context: unknown, old: KubeObject) => ({ ...old, metadata: { ...old.metadata, ...metadata } }),
    };
    try {
      await scale.update?.(context, 'x', info, {
        ...write,
        forceAllowCreate: false,
        validateCreate: accept,
        validateUpdate: accept,
      });
      return 'not at all';
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return error.message;
    }
  }

  it('is checked for the names of finalizers, though it keeps none', async () => {
    expect(await refusal({ finalizers: ['plain', 'a/b'] })).to.equal(
      'Scale.autoscaling "x" is invalid: metadata.finalizers[0]: Invalid value: "plain": name is neither a ' +
        'standard finalizer name nor is it fully qualified',
    );
  });

  it('is refused for another object of the name', async () => {
    expect(await refusal({ uid: 'other' })).to.equal(
      'Operation cannot be fulfilled on replicasets/scale.apps "x": Precondition failed: UID in precondition: other, ' +
        'UID in object meta: uid-1',
    );
    expect(await refusal({ uid: undefined })).to.equal('not at all');
  });
});
