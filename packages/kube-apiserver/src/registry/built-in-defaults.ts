import { builtinRelease } from '@kubechain/apimachinery';
import type { Clock, Release, Scheme } from '@kubechain/apimachinery';
import { builtInGroups } from './built-in-groups.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { Capabilities } from './capabilities.ts';
import { legacyDefaulters } from './legacy/defaults.ts';

/**
 * The scheme of one server: all built-in kinds with the defaulting functions of their resources. `clock`: for what is
 * stamped by defaulting; `capabilities`: what the server lets objects ask for, by default all of its release.
 */
export function builtInScheme(
  clock: Clock,
  release: Release = builtinRelease,
  capabilities: Capabilities = capabilitiesOf({ allowPrivileged: true, release }),
): Scheme {
  const setting = { clock, release, capabilities };
  return release.scheme.withDefaulters([
    ...builtInGroups.flatMap(({ resources }) => resources.flatMap((resource) => resource.defaulters(setting))),
    ...legacyDefaulters,
  ]);
}
