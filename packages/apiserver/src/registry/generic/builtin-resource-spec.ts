import { builtinRelease, removedResources } from '@kubechain/apimachinery';
import type { Release, ResourceFacts } from '@kubechain/apimachinery';
import { RegistryError } from '../registry-error.ts';
import type { ResourceSpec } from './resource-spec.ts';

/**
 * What a caller says of a built-in resource. Names, scope, short names, categories and versions come from the
 * generated facts of the reference.
 */
export type BuiltinResource = Pick<ResourceSpec, 'group' | 'plural'> & Partial<ResourceSpec>;

/**
 * A built-in resource's literal completed with what is known of it. @throws RegistryError for a resource that is not
 * built in
 */
export function builtinResourceSpec(resource: BuiltinResource, release: Release = builtinRelease): ResourceSpec {
  const facts = preferredFacts(release, resource);
  const { storage = facts } = facts;
  const memoryVersion = resource.memoryVersion ?? { group: storage.group, version: storage.version };
  return {
    scheme: release.scheme,
    kind: facts.kind,
    singular: facts.singular,
    namespaced: facts.namespaced,
    ...(facts.listKind === undefined ? {} : { listKind: facts.listKind }),
    ...(facts.shortNames === undefined ? {} : { shortNames: facts.shortNames }),
    ...(facts.categories === undefined ? {} : { categories: facts.categories }),
    memoryVersion,
    storageVersion: memoryVersion,
    ...resource,
  };
}

/**
 * Key prefixes of built-in resources by `resource` or `resource.group`, for the StorageFactory (`services` →
 * `services/specs`).
 */
export function builtinStoragePrefixes({ optional, resources }: Release): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>();
  for (const { group, resource, storage } of [...removedResources(), ...optional, ...resources])
    if (storage !== undefined) prefixes.set(group === '' ? resource : `${resource}.${group}`, storage.prefix);
  return prefixes;
}

function preferredFacts(release: Release, { group, plural }: BuiltinResource): ResourceFacts {
  const facts = release.preferredResource(group, plural);
  if (facts === undefined)
    throw new RegistryError(`${plural} in group ${JSON.stringify(group)} is not a built-in resource`);
  return facts;
}
