import { builtinResources } from '@kubechain/apimachinery';

/** Key prefixes of built-in resources by `resource` or `resource.group`, for the StorageFactory (`services` → `services/specs`). */
export function storagePrefixes(): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>();
  for (const { group, resource, storage } of builtinResources()) if (storage !== undefined) prefixes.set(group === '' ? resource : `${resource}.${group}`, storage.prefix);
  return prefixes;
}
