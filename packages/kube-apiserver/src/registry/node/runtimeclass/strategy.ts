import type { RuntimeClass } from '@kubechain/apimachinery/types/node/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { runtimeClassWarnings, validateRuntimeClass, validateRuntimeClassUpdate } from './validation.ts';

/** RuntimeClass: what its spec's endpoint does beyond the generic registry. */
export const runtimeClassStrategy = specStrategy({
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  ...validated({ create: validateRuntimeClass, update: validateRuntimeClassUpdate }),
  warningsOnCreate: (runtimeClass) => runtimeClassWarnings(runtimeClass as RuntimeClass),
  warningsOnUpdate: (runtimeClass) => runtimeClassWarnings(runtimeClass as RuntimeClass),
});
