import type { Release } from '@kubechain/apimachinery';
import type { EgressSelector } from '../egress/egress-selector.ts';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { PluginConfigurations } from '../admission/configuration/plugin-configurations.ts';
import type { ManifestRules } from '../admission/manifests/manifest-objects.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import { featureGatesOf } from '../options/feature-gates.ts';
import { openAdmissionParts } from './admission-parts.ts';
import type { OpenedStorage } from './open-storage.ts';
import { openSecurity } from './security.ts';
import type { AssemblyInput } from './assembly-input.ts';
import type { Rights } from './shared-parts.ts';

/** What rights are followed from. */
export interface RightsOptions {
  /** Built-in resources. */
  readonly storages: ResourceStorages;
  readonly storage: Pick<OpenedStorage, 'directOptions'>;
  readonly metrics: MetricRegistry;
  readonly egress: EgressSelector | undefined;
  /** Rules for configurations of admission that come from files; default: another server holds them to those. */
  readonly manifestRules?: ManifestRules | undefined;
  readonly release: Release;
}

/** Builds authentication, authorization and what plugins look at, and follows it. @throws OptionsError */
export function openRights(
  { assembly, environment, values }: AssemblyInput,
  { egress, manifestRules, metrics, release, storage, storages }: RightsOptions,
): Rights {
  const { asTenant, clock, peerFaults, randomness, secrets, tellWebhookCall } = environment;
  const readOnce = asTenant?.records?.readOnce;
  const { authentication, authorization } = values;
  const featureGates = featureGatesOf(values);
  const security = assembly.open(
    'security',
    () =>
      openSecurity({
        authentication,
        authorization,
        clock,
        storages,
        metrics,
        egress,
        readOnce,
        release,
        secrets,
        isOn: (gate) => featureGates.enabled(gate),
      }),
    (opened) => {
      opened.stop();
    },
  );
  const { authorizer } = security.authorization;
  const { directOptions } = storage;
  const admission = openAdmissionParts(assembly, {
    storages,
    directOptions,
    authorizer,
    clock,
    randomness,
    metrics,
    egress,
    peerFaults,
    tellWebhookCall,
    manifests: {
      enabled: featureGates.enabled('ManifestBasedAdmissionControlConfig'),
      rules: manifestRules,
    },
    configurations: PluginConfigurations.read(values.admission['admission-control-config-file']),
  });
  return { security, admission };
}
