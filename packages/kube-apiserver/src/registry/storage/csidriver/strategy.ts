import type { KubeObject } from '@kubechain/apimachinery';
import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';
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

/** What is behind a feature gate that is off in 1.36 (VolumeLimitScaling) goes, unless it is there already. */
function dropDisabledFields(driver: CSIDriver, old?: CSIDriver): void {
  if (old?.spec?.preventPodSchedulingIfMissing === undefined) delete driver.spec?.preventPodSchedulingIfMissing;
}

/** CSIDriver: what its spec's endpoint does beyond the generic registry. */
export const csiDriverStrategy = specStrategy({
  ...validated({ create: validateCSIDriver, update: validateCSIDriverUpdate }),
  allowUnconditionalUpdate: false,
  warningsOnCreate: (driver) => tokenWarnings(driver),
  warningsOnUpdate: tokenWarnings,
  prepareForCreate: (driver) => {
    dropDisabledFields(driver as CSIDriver);
  },
  // Generations are counted from nothing: new drivers have none.
  prepareForUpdate: (driver, old) => {
    dropDisabledFields(driver as CSIDriver, old as CSIDriver);
    if (driver.metadata !== undefined && hasChanged('spec', driver, old))
      driver.metadata.generation = (old.metadata?.generation ?? 0) + 1;
  },
});
