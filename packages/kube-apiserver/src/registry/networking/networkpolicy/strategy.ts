import { FieldPath, cidrWarnings } from '@kubechain/apimachinery';
import type { KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { NetworkPolicy } from '@kubechain/apimachinery/types/networking/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts';

/** NetworkPolicy: what its spec's endpoint does beyond the generic registry. */
export const networkPolicyStrategy = (release: ReleaseAge): Strategy =>
  specStrategy({
    generation: 'spec',
    exactGeneration: true,
    ...validated<NetworkPolicy>({
      create: (policy) => validateNetworkPolicy(policy),
      update: validateNetworkPolicyUpdate,
    }),
    warningsOnCreate: (policy) => blockWarnings(policy, release),
    warningsOnUpdate: (policy) => blockWarnings(policy, release),
  });

/** What is odd about the CIDRs (networkPolicyWarnings of pkg/registry/networking/networkpolicy, 1.36). */
function blockWarnings(policy: KubeObject, release: ReleaseAge): string[] {
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
          ...cidrWarnings(at.child('ipBlock', 'cidr'), ipBlock.cidr, release),
          ...(ipBlock.except ?? []).flatMap((cidr, i) =>
            cidrWarnings(at.child('ipBlock', 'except').index(i), cidr, release),
          ),
        ],
  );
}
