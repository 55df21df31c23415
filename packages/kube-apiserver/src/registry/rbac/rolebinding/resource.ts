import { guardBindings } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { isRBACName, roleBindingRules } from '../validation.ts';
import { escalationGuard } from '../escalation-guard.ts';
import { defaultBinding } from '../defaults.ts';
import { printBinding } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves rolebindings. */
export const roleBindingResource = storedResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'rolebindings',
  strategy: ({ release }) =>
    specStrategy({
      allowCreateOnUpdate: true,
      validateName: isRBACName,
      ...validated(roleBindingRules(release)),
    }),
  defaults: { v1: defaultBinding },
  row: printBinding,
  main: (store, context) => guardBindings(store, 'rolebindings', escalationGuard(context)),
});
