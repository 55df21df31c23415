import { guardRoles } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { isRBACName, roleRules } from '../validation.ts';
import { escalationGuard } from '../escalation-guard.ts';
import { storedResource } from '../../resource.ts';

/** Serves roles. */
export const roleResource = storedResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'roles',
  strategy: specStrategy({
    allowCreateOnUpdate: true,
    validateName: isRBACName,
    ...validated(roleRules),
  }),
  main: (store, context) => guardRoles(store, 'roles', escalationGuard(context)),
});
