import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import type { PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';
import { validatePriorityLevelConfiguration, validatePriorityLevelConfigurationStatus } from './validation.ts';

/** PriorityLevelConfiguration: what its spec's endpoint does beyond the generic registry. */
export function priorityLevelConfigurationStrategy(release: ReleaseAge): Strategy {
  const validate = (level: PriorityLevelConfiguration): FieldError[] =>
    validatePriorityLevelConfiguration(level, release);
  return specStrategy({ generation: 'spec', status: true, ...validated({ create: validate, update: validate }) });
}

/** PriorityLevelConfiguration's status endpoint. */
export const priorityLevelConfigurationStatusStrategy = statusStrategy({
  resetMetadata: 'whole',
  hooks: validated({ update: validatePriorityLevelConfigurationStatus }),
});
