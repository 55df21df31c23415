import { networkPolicyStrategy } from './strategy.ts';
import { defaultNetworkPolicy } from './defaults.ts';
import { printNetworkPolicy } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves networkpolicies. */
export const networkPolicyResource = storedResource({
  group: 'networking.k8s.io',
  plural: 'networkpolicies',
  strategy: ({ release }) => networkPolicyStrategy(release),
  defaults: { v1: defaultNetworkPolicy },
  row: printNetworkPolicy,
});
