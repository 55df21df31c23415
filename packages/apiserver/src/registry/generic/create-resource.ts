import type { RESTOptionsGetter, SharedRecords } from '@kubechain/shared-storage';
import { meetRequestFaults } from './meet-request-faults.ts';
import { resourceCodec } from './resource-codec.ts';
import type { StorageMediaType } from './resource-codec.ts';
import type { ResourceSpec } from './resource-spec.ts';
import { systemEnvironment } from './store-environment.ts';
import type { StoreEnvironment } from './store-environment.ts';
import { Store } from './store.ts';

export interface CreateResourceOptions {
  /** Default: the system's clock and random numbers. */
  readonly environment?: StoreEnvironment;
  /** How objects are written; default JSON. */
  readonly mediaType?: StorageMediaType;
  /** Decodes what several stores hold alike once for all readers of this name. Default: nothing is shared. */
  readonly shared?: { readonly records: SharedRecords; readonly reader: string } | undefined;
}

/**
 * Makes the storage of one resource: codec, decorated storage (cached or not, as RESTOptions say), generic Store.
 * The caller closes it. Cheap enough to be called for each custom resource when it is established.
 */
export function createResource(
  spec: ResourceSpec,
  restOptions: RESTOptionsGetter,
  options: CreateResourceOptions = {},
): Store {
  const rest = restOptions.getRESTOptions({ group: spec.group, resource: spec.plural }, spec.resourcePrefix);
  const codec = resourceCodec(spec, options.mediaType);
  const { shared } = options;
  const storage = rest.decorator({
    groupResource: { group: spec.group, resource: spec.plural },
    resourcePrefix: rest.resourcePrefix,
    codec: shared?.records.decoding(codec, `${shared.reader} ${spec.plural}.${spec.group}`) ?? codec,
    namespaced: spec.namespaced,
    ...typeDescriptionOf(spec),
    ...(spec.indexers === undefined ? {} : { indexers: spec.indexers }),
  });
  const store = new Store({
    spec,
    storage,
    keyRoot: rest.keyRoot,
    resourcePrefix: rest.resourcePrefix,
    enableGarbageCollection: rest.enableGarbageCollection,
    deleteCollectionWorkers: rest.deleteCollectionWorkers,
    informerEnds: rest.informerEnds,
    environment: options.environment ?? systemEnvironment,
  });
  if (rest.meetsFaults === true) meetRequestFaults(store);
  return store;
}

function typeDescriptionOf({ kind, memoryVersion, scheme }: ResourceSpec): { readonly typeDescription?: string } {
  const hubType = scheme.kind({ ...memoryVersion, kind })?.hubType;
  return hubType === undefined ? {} : { typeDescription: `*${hubType}` };
}
