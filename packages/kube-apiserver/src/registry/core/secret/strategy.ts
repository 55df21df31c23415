import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateSecret, validateSecretUpdate } from './validation.ts';

/** Secret: what its spec's endpoint does beyond the generic registry. */
export const secretStrategy = specStrategy(validated({ create: validateSecret, update: validateSecretUpdate }));
