import type { GroupProvider } from '../storage-provider.ts';
import { ingressStorage } from './ingress/storage.ts';
import { ingressClassStorage } from './ingressclass/storage.ts';
import { ipAddressStorage } from './ipaddress/storage.ts';
import { networkPolicyStorage } from './networkpolicy/storage.ts';
import { serviceCIDRStorage } from './servicecidr/storage.ts';

/** The networking.k8s.io group. */
export const networkingGroup: GroupProvider = {
  group: 'networking.k8s.io',
  resources: [ingressStorage, ingressClassStorage, ipAddressStorage, networkPolicyStorage, serviceCIDRStorage],
};
