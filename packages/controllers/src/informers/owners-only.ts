import type { PartialObjectMetadata } from '@kubechain/apimachinery/types/meta/v1';

/**
 * What of an object's metadata says which it is, who owns it and whether it goes: all that is held of objects that no
 * controller asks for by their kind. Labels and annotations may be a quarter of a megabyte of each.
 */
export function ownersOnly({ apiVersion, kind, metadata = {} }: PartialObjectMetadata): PartialObjectMetadata {
  const { deletionTimestamp, finalizers, name, namespace, ownerReferences, resourceVersion, uid } = metadata;
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
  };
}
