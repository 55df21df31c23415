import { serviceCIDRStrategy, serviceCIDRStatusStrategy } from './strategy.ts';
import { printServiceCIDR } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves servicecidrs with status. */
export const serviceCIDRResource = storedResource({
  group: 'networking.k8s.io',
  plural: 'servicecidrs',
  strategy: ({ capabilities }) => serviceCIDRStrategy(capabilities),
  status: serviceCIDRStatusStrategy,
  row: printServiceCIDR,
});
