import { featureGatesOf } from '../options/feature-gates.ts';
import type { AssemblyInput } from './assembly-input.ts';

/** Name of the post-start hook that ends when every built-in resource is told of. */
export const storageVersionHook = 'built-in-resources-storage-version-updater';

/**
 * Whether nothing is to be written before it is told in which version it is stored: by feature gates; not in side
 * servers and clusters that begin with what is stored, where another server has told.
 */
export function tellsStorageVersions({ environment, values }: Pick<AssemblyInput, 'environment' | 'values'>): boolean {
  if (environment.sideSocket !== undefined || environment.asTenant?.start !== undefined) return false;
  const gates = featureGatesOf(values);
  return gates.enabled('StorageVersionAPI') && gates.enabled('APIServerIdentity');
}
