import { nameIsPathSegment } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { roleRules } from '../validation.ts';

/** Role: what its spec's endpoint does beyond the generic registry. */
export const roleStrategy = specStrategy({
  allowCreateOnUpdate: true,
  validateName: nameIsPathSegment,
  ...validated(roleRules),
});
