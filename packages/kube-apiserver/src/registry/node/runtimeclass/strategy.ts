import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateRuntimeClass, validateRuntimeClassUpdate } from './validation.ts';

/** RuntimeClass: what its spec's endpoint does beyond the generic registry. */
export const runtimeClassStrategy = specStrategy({ allowCreateOnUpdate: true, allowUnconditionalUpdate: false, ...validated({ create: validateRuntimeClass, update: validateRuntimeClassUpdate }) });
