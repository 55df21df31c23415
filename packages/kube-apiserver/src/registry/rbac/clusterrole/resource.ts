import { guardRoles } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { isRBACName, clusterRoleRules } from '../validation.ts';
import { escalationGuard } from '../escalation-guard.ts';
import { storedResource } from '../../resource.ts';

/** Serves clusterroles. */
export const clusterRoleResource = storedResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'clusterroles',
  strategy: specStrategy({
    allowCreateOnUpdate: true,
    validateName: isRBACName,
    ...validated(clusterRoleRules),
  }),
  main: (store, context) => guardRoles(store, 'clusterroles', escalationGuard(context)),
});
