import { guardRoles } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { isRBACName, clusterRoleRules, tellingRoles } from '../validation.ts';
import { escalationGuard } from '../escalation-guard.ts';
import { storedResource } from '../../resource.ts';

/** Serves clusterroles. */
export const clusterRoleResource = storedResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'clusterroles',
  strategy: ({ release }) =>
    specStrategy({
      allowCreateOnUpdate: true,
      validateName: isRBACName,
      ...validated(tellingRoles(clusterRoleRules, release)),
    }),
  main: (store, context) => guardRoles(store, 'clusterroles', escalationGuard(context)),
});
