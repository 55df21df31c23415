import type { KubeObject } from '@kubechain/apimachinery';
import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { dropGatedFields } from '../../gated-fields.ts';
import type { GatedField } from '../../gated-fields.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { hasChanged, specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateCSIDriver, validateCSIDriverUpdate } from './validation.ts';

const leakingTokens =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent ' +
  'possible logging of tokens in volume attributes';

/** Warns of tokens that may end up in logs. */
function tokenWarnings(driver: KubeObject, old?: KubeObject): string[] {
  const { serviceAccountTokenInSecrets, tokenRequests = [] } = (driver as CSIDriver).spec ?? {};
  if (tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  return old !== undefined && semanticEqual((old as CSIDriver).spec?.tokenRequests, tokenRequests)
    ? []
    : [leakingTokens];
}

const owners = (driver: KubeObject): readonly unknown[] => [driver['spec']];
/** What features brought to drivers (pkg/registry/storage/csidriver, 1.34 to 1.37). */
const gated: readonly GatedField<KubeObject>[] = [
  { gate: 'CSIServiceAccountTokenSecrets', field: 'serviceAccountTokenInSecrets', owners },
  { gate: 'MutableCSINodeAllocatableCount', field: 'nodeAllocatableUpdatePeriodSeconds', owners },
  { gate: 'VolumeLimitScaling', field: 'preventPodSchedulingIfMissing', owners },
];

/** CSIDriver: what its spec's endpoint does beyond the generic registry. */
export function csiDriverStrategy({ enabled }: Capabilities): Strategy {
  return specStrategy({
    ...validated({ create: validateCSIDriver, update: validateCSIDriverUpdate }),
    allowUnconditionalUpdate: false,
    ...(enabled('CSIServiceAccountTokenSecrets')
      ? { warningsOnCreate: (driver: KubeObject) => tokenWarnings(driver), warningsOnUpdate: tokenWarnings }
      : {}),
    prepareForCreate: (driver) => {
      dropGatedFields(gated, driver, { enabled, old: undefined });
    },
    // Generations are counted from nothing: new drivers have none.
    prepareForUpdate: (driver, old) => {
      dropGatedFields(gated, driver, { enabled, old });
      if (driver.metadata !== undefined && hasChanged('spec', driver, old))
        driver.metadata.generation = (old.metadata?.generation ?? 0) + 1;
    },
  });
}
