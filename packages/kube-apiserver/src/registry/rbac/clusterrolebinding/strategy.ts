import { nameIsPathSegment } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { clusterRoleBindingRules } from '../validation.ts';

/** ClusterRoleBinding: what its spec's endpoint does beyond the generic registry. */
export const clusterRoleBindingStrategy = specStrategy({
  allowCreateOnUpdate: true,
  validateName: nameIsPathSegment,
  ...validated(clusterRoleBindingRules),
});
