import { ipAddressStrategy } from './strategy.ts';
import { printIPAddress } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves ipaddresses. */
export const ipAddressResource = storedResource({
  group: 'networking.k8s.io',
  plural: 'ipaddresses',
  strategy: ipAddressStrategy,
  row: printIPAddress,
});
