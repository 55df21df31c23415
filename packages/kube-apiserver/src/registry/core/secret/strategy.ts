import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateSecret, validateSecretUpdate } from './validation.ts';
import { secretWarnings } from './warnings.ts';

/** Secret: what its spec's endpoint does beyond the generic registry. */
export const secretStrategy = specStrategy({
  ...validated({ create: validateSecret, update: validateSecretUpdate }),
  warningsOnCreate: (secret) => secretWarnings(secret as Secret),
  warningsOnUpdate: (secret) => secretWarnings(secret as Secret),
});
