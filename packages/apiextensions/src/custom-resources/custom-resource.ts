import { createResource, createScaleStorage, createStatusStorage } from '@kubechain/apiserver';
import type { InstalledResource, ResourceSpec, RESTStorage, ScaleAccess, Store, Strategy } from '@kubechain/apiserver';
import { notFound } from '@kubechain/apimachinery';
import type { KubeObject, Scheme } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { isDeepStrictEqual } from 'node:util';
import { storageVersionOf } from '../crd/crd-types.ts';
import type { CRDVersion, CustomResourceDefinition } from '../crd/crd-types.ts';
import { readPath, writePath } from './json-path.ts';
import { customScheme } from './custom-scheme.ts';

/** One CRD as it is served: its store, and what is installed of it. */
export interface ServedCustomResource {
  readonly store: Store;
  readonly resources: readonly InstalledResource[];
}

/** Makes everything that serves a CRD's objects; nothing is read from etcd before the first request. */
export function serveCustomResource(crd: CustomResourceDefinition, restOptions: RESTOptionsGetter): ServedCustomResource {
  const scheme = customScheme(crd);
  const { group, names, scope } = crd.spec;
  const served = crd.spec.versions.filter((version) => version.served);
  const hasStatus = crd.spec.versions.some((version) => version.subresources?.status !== undefined);
  const spec: ResourceSpec = {
    scheme, group, plural: names.plural, singular: crd.status?.acceptedNames?.singular ?? names.singular ?? '', kind: names.kind, listKind: names.listKind ?? `${names.kind}List`,
    shortNames: crd.status?.acceptedNames?.shortNames ?? [], categories: crd.status?.acceptedNames?.categories ?? [],
    namespaced: scope === 'Namespaced',
    memoryVersion: { group, version: storageVersionOf(crd) },
    resourcePrefix: `${group}/${names.plural}`,
    strategy: hasStatus ? withStatusStrategy : plainStrategy,
    returnDeletedObject: false, typedListItems: true, decodeOnRead: true,
  };
  const store = createResource(spec, restOptions);
  return { store, resources: served.flatMap((version) => installed(store, scheme, version, names.plural)) };
}

function installed(store: Store, scheme: Scheme, version: CRDVersion, plural: string): InstalledResource[] {
  const common = { group: store.spec.group, version: version.name, scheme, custom: true };
  const entries: [string, RESTStorage][] = [[plural, store]];
  if (version.subresources?.status !== undefined) entries.push([`${plural}/status`, createStatusStorage(store, statusStrategy)]);
  if (version.subresources?.scale !== undefined) entries.push([`${plural}/scale`, createScaleStorage(store, scaleAccess(version.subresources.scale, store))]);
  return entries.map(([path, storage]) => ({ ...common, path, storage }));
}

/** generation counts changes of everything but metadata and status (pkg/registry/customresource/strategy.go, 1.36). */
const plainStrategy: Strategy = {
  prepareForCreate(object) { if (object.metadata !== undefined) object.metadata.generation = 1; },
  prepareForUpdate(object, old) { bumpGeneration(object, old, ['metadata']); },
};

const withStatusStrategy: Strategy = {
  resetFields: ['status'],
  prepareForCreate(object) {
    delete object['status'];
    if (object.metadata !== undefined) object.metadata.generation = 1;
  },
  prepareForUpdate(object, old) {
    if (old['status'] === undefined) delete object['status'];
    else object['status'] = old['status'];
    bumpGeneration(object, old, ['metadata', 'status']);
  },
};

const statusStrategy: Strategy = {
  resetFields: ['metadata', 'spec'],
  prepareForUpdate(object, old) {
    const status = object['status'];
    const { managedFields, resourceVersion } = object.metadata ?? {};
    for (const key of Object.keys(object)) if (key !== 'apiVersion' && key !== 'kind') delete object[key];
    Object.assign(object, old, { apiVersion: object.apiVersion, metadata: { ...old.metadata, ...(managedFields === undefined ? {} : { managedFields }), ...(resourceVersion === undefined ? {} : { resourceVersion }) } });
    if (status === undefined) delete object['status'];
    else object['status'] = status;
  },
};

function bumpGeneration(object: KubeObject, old: KubeObject, except: readonly string[]): void {
  if (object.metadata === undefined) return;
  const payload = (value: KubeObject): KubeObject => Object.fromEntries(Object.entries(value).filter(([key]) => !except.includes(key)));
  object.metadata.generation = (old.metadata?.generation ?? 0) + (isDeepStrictEqual(payload(object), payload(old)) ? 0 : 1);
}

function scaleAccess(paths: NonNullable<NonNullable<CRDVersion['subresources']>['scale']>, store: Store): ScaleAccess {
  return {
    readSpecReplicas: (object) => readPath(object, paths.specReplicasPath) as number | undefined,
    writeSpecReplicas: (object, replicas) => { writePath(object, paths.specReplicasPath, replicas); },
    readStatusReplicas: (object) => (readPath(object, paths.statusReplicasPath) as number | undefined) ?? 0,
    readSelector: (object) => (paths.labelSelectorPath === undefined ? '' : (readPath(object, paths.labelSelectorPath) as string | undefined) ?? ''),
    refuse: (_object, name) => { throw notFound({ group: store.spec.group, resource: `${store.spec.plural}/scale` }, name); },
  };
}
