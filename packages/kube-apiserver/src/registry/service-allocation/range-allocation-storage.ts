import { builtinScheme } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { resourceCodec } from '@kubechain/apiserver/resources';
import type { RESTOptionsGetter, StorageInterface } from '@kubechain/shared-storage';

/** The one object that holds all node ports: where it is, and how it is reached. */
export interface RangeAllocationStorage {
  readonly storage: StorageInterface;
  /** Full key, `/registry/ranges/servicenodeports`. */
  readonly key: string;
}

/** core/v1 RangeAllocation as it is stored. */
export interface RangeAllocation extends KubeObject {
  /** `30000-32767` */
  range?: string;
  /** Base64 of the bitmap; null for an empty one. */
  data?: string | null;
}

const coreV1 = { group: '', version: 'v1' };

/** Opens the object of node ports, straight on etcd: it is written by all processes, and never watched. */
export function nodePortRangeStorage(direct: RESTOptionsGetter): RangeAllocationStorage {
  const resource = { group: '', resource: 'servicenodeportallocations' };
  const { decorator, keyRoot, resourcePrefix } = direct.getRESTOptions(resource, '/ranges');
  const codec = resourceCodec({
    scheme: builtinScheme(),
    group: '',
    plural: resource.resource,
    singular: '',
    kind: 'RangeAllocation',
    namespaced: false,
    memoryVersion: coreV1,
  });
  return {
    storage: decorator({ groupResource: resource, resourcePrefix, codec, namespaced: false }),
    key: `${keyRoot}/servicenodeports`,
  };
}
