import { builtinScheme, type KubeObject } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { MemoryStorage } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { refusal } from '../../testing/refusal.ts';
import type { RequestFault } from '../../request/request-context.ts';
import { internalContext } from '../rest/internal-context.ts';
import { isRecord } from '../rest/result.ts';
import { everything } from '../rest/selection-predicate.ts';
import type { RESTContext, UpdatedObjectInfo } from '../rest/storage.ts';
import { createResource } from './create-resource.ts';
import { resourceCodec } from './resource-codec.ts';
import type { Store } from './store.ts';

const spec = {
  scheme: builtinScheme(),
  group: '',
  plural: 'configmaps',
  singular: 'configmap',
  kind: 'ConfigMap',
  namespaced: true,
  memoryVersion: { group: '', version: 'v1' },
};
const body = (more: KubeObject['metadata'] = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', ...more },
});
const write = { dryRun: false, fieldManager: '', fieldValidation: 'Strict' };
const accept = (): void => undefined;

function storeOf(meetsFaults: boolean | undefined): Store {
  const restOptions: RESTOptionsGetter = {
    getRESTOptions: () => ({
      decorator: () => new MemoryStorage(resourceCodec(spec)),
      resourcePrefix: '/configmaps',
      keyRoot: '/registry/configmaps',
      enableGarbageCollection: true,
      deleteCollectionWorkers: 1,
      meetsFaults,
    }),
  };
  return createResource(spec, restOptions);
}

function contextOf(fault?: RequestFault): RESTContext {
  const context = internalContext({ groupResource: { group: '', resource: 'configmaps' }, namespace: 'a' });
  return { ...context, request: { ...context.request, fault } };
}

describe('the store of a resource', () => {
  it('has the verbs of every store where there is no control API', () => {
    const { prototype } = storeOf(undefined).constructor as unknown as { readonly prototype: Store };
    for (const verb of ['get', 'list', 'update', 'delete'] as const) {
      expect(storeOf(undefined)[verb], verb).to.equal(prototype[verb]);
      expect(storeOf(true)[verb], verb).to.not.equal(prototype[verb]);
    }
  });

  describe('whose requests may meet faults', () => {
    let store: Store;
    let revision: string;
    beforeEach(async () => {
      store = storeOf(true);
      const made = await store.create(contextOf(), '', body(), { ...write, validate: accept });
      revision = (isRecord(made) ? made.object() : made).metadata?.resourceVersion ?? '';
    });
    const info: UpdatedObjectInfo = {
      preconditions: undefined,
      updatedObject: () => body({ resourceVersion: revision, labels: { a: 'b' } }),
    };
    const update = (fault?: RequestFault): ReturnType<Store['update']> =>
      store.update(contextOf(fault), 'x', info, {
        ...write,
        forceAllowCreate: false,
        validateCreate: accept,
        validateUpdate: accept,
      });

    it('lets another writer be faster than an update, once', async () => {
      const fault = { overtaken: true };
      expect((await refusal(() => update(fault))).code).to.equal(409);
      expect(fault.overtaken).to.equal(false);
    });

    it('lets another writer be faster than a deletion', async () => {
      const preconditions = { resourceVersion: revision };
      const gone = (fault?: RequestFault): ReturnType<Store['delete']> =>
        store.delete(contextOf(fault), 'x', accept, { dryRun: false, preconditions });
      expect((await refusal(() => gone({ overtaken: true }))).code).to.equal(409);
    });

    it('reads what was at a revision', async () => {
      await update();
      const options = {
        predicate: everything,
        resourceVersion: '0',
        resourceVersionMatch: '',
        limit: 0,
        continue: '',
      } as const;
      const labels = async (fault?: RequestFault): Promise<readonly unknown[]> => [
        (await store.get(contextOf(fault), 'x', {})).object().metadata?.labels,
        ...(await store.list(contextOf(fault), options)).items.map((item) => item.object().metadata?.labels),
      ];
      expect(await labels()).to.deep.equal([{ a: 'b' }, { a: 'b' }]);
      expect(await labels({ readAt: Number(revision) })).to.deep.equal([undefined, undefined]);
    });

    it('answers 404 for what was not there at a revision', async () => {
      expect((await refusal(() => store.get(contextOf({ readAt: Number(revision) }), 'y', {}))).code).to.equal(404);
    });

    it('leaves other requests alone', async () => {
      expect((await update()).created).to.equal(false);
    });
  });
});
