import { nameIsPathSegment } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { roleBindingRules } from '../validation.ts';

/** RoleBinding: what its spec's endpoint does beyond the generic registry. */
export const roleBindingStrategy = specStrategy({
  allowCreateOnUpdate: true,
  validateName: nameIsPathSegment,
  ...validated(roleBindingRules),
});
