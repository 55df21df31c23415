import { guardBindings } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { isRBACName, clusterRoleBindingRules } from '../validation.ts';
import { escalationGuard } from '../escalation-guard.ts';
import { defaultBinding } from '../defaults.ts';
import { printBinding } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves clusterrolebindings. */
export const clusterRoleBindingResource = storedResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'clusterrolebindings',
  strategy: ({ release }) =>
    specStrategy({
      allowCreateOnUpdate: true,
      validateName: isRBACName,
      ...validated(clusterRoleBindingRules(release)),
    }),
  defaults: { v1: defaultBinding },
  row: printBinding,
  main: (store, context) => guardBindings(store, 'clusterrolebindings', escalationGuard(context)),
});
