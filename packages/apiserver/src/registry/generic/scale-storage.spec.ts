import { builtinScheme, StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { MemoryStorage } from '@kubechain/shared-storage/testing';
import { internalContext } from '../rest/internal-context.ts';
import { resourceCodec } from './resource-codec.ts';
import type { ResourceSpec } from './resource-spec.ts';
import { createScaleStorage } from './scale-storage.ts';
import { Store } from './store.ts';

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
  it('is checked for the names of finalizers, though it keeps none', async () => {
    let uids = 0;
    const store = new Store({
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
    const scale = createScaleStorage(store, {
      readSpecReplicas: () => 1,
      writeSpecReplicas: accept,
      readStatusReplicas: () => 0,
      readSelector: () => '',
    });
    const finalizing = {
      preconditions: undefined,
      updatedObject: (_context: unknown, old: KubeObject) => ({
        ...old,
        metadata: { ...old.metadata, finalizers: ['plain', 'a/b'] },
      }),
    };
    try {
      await scale.update?.(context, 'x', finalizing, {
        ...write,
        forceAllowCreate: false,
        validateCreate: accept,
        validateUpdate: accept,
      });
      expect.fail('was not refused');
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      expect(error.message).to.equal(
        'Scale.autoscaling "x" is invalid: metadata.finalizers[0]: Invalid value: "plain": name is neither a ' +
          'standard finalizer name nor is it fully qualified',
      );
    }
  });
});
