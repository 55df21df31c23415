import type { NetworkPolicy } from '@kubechain/apimachinery/types/networking/v1';

/** Defaults of network policies (pkg/apis/networking/v1, 1.36). */
export function defaultNetworkPolicy(policy: NetworkPolicy): void {
  const spec = (policy.spec ??= {});
  if ((spec.policyTypes?.length ?? 0) === 0)
    spec.policyTypes = (spec.egress?.length ?? 0) === 0 ? ['Ingress'] : ['Ingress', 'Egress'];
  for (const rule of spec.ingress ?? []) for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
  for (const rule of spec.egress ?? []) for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
}
