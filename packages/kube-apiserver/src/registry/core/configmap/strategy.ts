import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateConfigMap, validateConfigMapChange } from './validation.ts';

/** ConfigMap: what its spec's endpoint does beyond the generic registry. */
export const configMapStrategy = specStrategy(
  validated({ create: validateConfigMap, update: validateConfigMap, change: validateConfigMapChange }),
);
