import { FieldPath, cidrWarnings } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { NetworkPolicy } from '@kubechain/apimachinery/types/networking/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts';

/** NetworkPolicy: what its spec's endpoint does beyond the generic registry. */
export const networkPolicyStrategy = specStrategy({
  generation: 'spec',
  exactGeneration: true,
  ...validated<NetworkPolicy>({
    create: (policy) => validateNetworkPolicy(policy),
    update: validateNetworkPolicyUpdate,
  }),
  warningsOnCreate: blockWarnings,
  warningsOnUpdate: blockWarnings,
});

/** What is odd about the CIDRs (networkPolicyWarnings of pkg/registry/networking/networkpolicy, 1.36). */
function blockWarnings(policy: KubeObject): string[] {
  const { egress = [], ingress = [] } = (policy as NetworkPolicy).spec ?? {};
  const path = FieldPath.of('spec');
  const peers = [
    ...ingress.flatMap(({ from = [] }, i) =>
      from.map((peer, j) => [peer, path.child('ingress').index(i).child('from').index(j)] as const),
    ),
    ...egress.flatMap(({ to = [] }, i) =>
      to.map((peer, j) => [peer, path.child('egress').index(i).child('to').index(j)] as const),
    ),
  ];
  return peers.flatMap(([{ ipBlock }, at]) =>
    ipBlock === undefined
      ? []
      : [
          ...cidrWarnings(at.child('ipBlock', 'cidr'), ipBlock.cidr),
          ...(ipBlock.except ?? []).flatMap((cidr, i) => cidrWarnings(at.child('ipBlock', 'except').index(i), cidr)),
        ],
  );
}
