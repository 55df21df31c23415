import type { GroupProvider } from '../resource.ts';
import { ingressResource } from './ingress/resource.ts';
import { ingressClassResource } from './ingressclass/resource.ts';
import { ipAddressResource } from './ipaddress/resource.ts';
import { networkPolicyResource } from './networkpolicy/resource.ts';
import { serviceCIDRResource } from './servicecidr/resource.ts';

/** The networking.k8s.io group. */
export const networkingGroup: GroupProvider = {
  group: 'networking.k8s.io',
  resources: [ingressResource, ingressClassResource, ipAddressResource, networkPolicyResource, serviceCIDRResource],
};
