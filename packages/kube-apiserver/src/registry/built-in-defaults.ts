import { builtinRelease } from '@kubechain/apimachinery';
import type { Clock, Release, Scheme } from '@kubechain/apimachinery';
import { builtInGroups } from './built-in-groups.ts';
import { legacyDefaulters } from './legacy/defaults.ts';

/**
 * The scheme of one server: all built-in kinds with the defaulting functions of their resources. `clock`: for what is
 * stamped by defaulting.
 */
export function builtInScheme(clock: Clock, release: Release = builtinRelease): Scheme {
  return release.scheme.withDefaulters([
    ...builtInGroups.flatMap(({ resources }) => resources.flatMap((resource) => resource.defaulters(clock, release))),
    ...legacyDefaulters,
  ]);
}
