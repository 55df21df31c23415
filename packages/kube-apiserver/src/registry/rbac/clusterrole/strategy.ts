import { nameIsPathSegment } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { clusterRoleRules } from '../validation.ts';

/** ClusterRole: what its spec's endpoint does beyond the generic registry. */
export const clusterRoleStrategy = specStrategy({
  allowCreateOnUpdate: true,
  validateName: nameIsPathSegment,
  ...validated(clusterRoleRules),
});
