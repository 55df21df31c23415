import { guardRoles } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { isRBACName, roleRules, tellingRoles } from '../validation.ts';
import { escalationGuard } from '../escalation-guard.ts';
import { storedResource } from '../../resource.ts';

/** Serves roles. */
export const roleResource = storedResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'roles',
  strategy: ({ release }) =>
    specStrategy({
      allowCreateOnUpdate: true,
      validateName: isRBACName,
      ...validated(tellingRoles(roleRules, release)),
    }),
  main: (store, context) => guardRoles(store, 'roles', escalationGuard(context)),
});
