import { parseJSON } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import {
  createResourceCodec,
  StorageError,
  type InformerEnds,
  type ResourceCodec,
  type RESTOptionsGetter,
  type StorageInterface,
} from '@kubechain/shared-storage';

/** One resource's storage and its full key root without trailing slash (`/registry/roles`). */
export interface ResourceStorage {
  readonly storage: StorageInterface;
  readonly keyRoot: string;
  /** Where informers of it count why their watches end. Default: nowhere. */
  readonly informerEnds?: InformerEnds | undefined;
}

/** Storage of any built-in resource, for those who follow or look up objects that they do not serve. */
export interface ResourceStorages {
  get(group: string, resource: string): ResourceStorage;
  /** Closes what was opened here. */
  close(): Promise<void>;
}

/**
 * Storages opened on first use, each once, for reading: what a process without registries of its own (aggregator,
 * apiextensions) authenticates and authorizes from. Give it a getter of undecorated storage: an informer is a cache
 * already. `ownPrefix`: where a resource is kept that is not where built-in ones are.
 */
export function readOnlyStorages(
  getter: RESTOptionsGetter,
  ownPrefix: (group: string, resource: string) => string | undefined = () => undefined,
): ResourceStorages {
  const opened = new Map<string, ResourceStorage>();
  return {
    get(group, resource) {
      const name = `${resource}.${group}`;
      let known = opened.get(name);
      if (known === undefined) {
        const { decorator, informerEnds, keyRoot, resourcePrefix } = getter.getRESTOptions(
          { group, resource },
          ownPrefix(group, resource),
        );
        known = {
          keyRoot,
          informerEnds,
          storage: decorator({
            groupResource: { group, resource },
            resourcePrefix,
            codec: readOnlyCodec(name),
            namespaced: true,
          }),
        };
        opened.set(name, known);
      }
      return known;
    },
    close: async () => void (await Promise.all([...opened.values()].map(({ storage }) => storage.close()))),
  };
}

/** Reads objects as they were stored: JSON of any version, without defaults. */
function readOnlyCodec(name: string): ResourceCodec {
  const refuse = (): never => {
    throw new StorageError('Internal', `${name} is opened for reading only`);
  };
  return createResourceCodec({
    decodeObject: (stored) => {
      if (stored[0] !== 0x7b)
        throw new StorageError('CorruptObject', `${name} is not stored as JSON, and cannot be read here yet`);
      return parseJSON(Buffer.from(stored).toString('utf8')) as KubeObject;
    },
    encodeObject: refuse,
    attributes: ({ metadata }) => {
      const { name: objectName = '', namespace = '', labels } = metadata ?? {};
      return {
        name: objectName,
        namespace,
        labels,
        fields: { 'metadata.name': objectName, 'metadata.namespace': namespace },
      };
    },
  });
}
