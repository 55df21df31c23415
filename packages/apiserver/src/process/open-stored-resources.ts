import type { Release } from '@kubechain/apimachinery';
import type { OpenedStorage } from './open-storage.ts';
import type { AssemblyInput } from './assembly-input.ts';
import { StoredResources } from './stored-resources.ts';

/** Readers of built-in resources: those that the servers of the process share, or the server's own. */
export function openStoredResources(
  { assembly, environment }: AssemblyInput,
  { directOptions }: Pick<OpenedStorage, 'directOptions'>,
  release: Release,
): StoredResources {
  return (
    environment.shared?.stored ??
    assembly.open(
      'stored resources',
      () => new StoredResources(directOptions, release, environment.asTenant?.records),
      (stored) => stored.close(),
    )
  );
}
