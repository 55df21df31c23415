import { EgressSelector } from '../egress/egress-selector.ts';
import { releaseFromFlags } from '../options/release-from-flags.ts';
import { metricsFromFlags } from './metrics-from-flags.ts';
import { openRights, type RightsOptions } from './open-rights.ts';
import { openServerStorage } from './open-server-storage.ts';
import { openStoredResources } from './open-stored-resources.ts';
import type { AssemblyInput } from './assembly-input.ts';
import type { SharedParts } from './shared-parts.ts';

/**
 * Opens what several servers of one process have in common: to be handed to each in its environment, where it takes the
 * place of what the server would open itself. The flags are those that all of them are given.
 * @throws OptionsError one line that names the flag
 */
export async function openSharedParts(
  input: AssemblyInput,
  { manifestRules }: Pick<RightsOptions, 'manifestRules'>,
): Promise<SharedParts> {
  const metrics = metricsFromFlags(input.values.metrics);
  const egress = EgressSelector.fromFile(input.values.generic['egress-selector-config-file'], metrics);
  const storage = await openServerStorage(input, { metrics, egress });
  const release = await releaseFromFlags(input.values.generic);
  const stored = openStoredResources(input, storage, release);
  return {
    ...openRights(input, { storages: stored, storage, metrics, egress, release, manifestRules }),
    storage,
    stored,
    metrics,
  };
}
