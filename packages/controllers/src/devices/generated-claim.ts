import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { ResourceClaim, ResourceClaimTemplate } from '@kubechain/apimachinery/types/resource/v1';

/** Names the entry of its pod that a claim was made for. */
export const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';

/** Leaves room for a hyphen and five letters in a name of 63. */
const mostOfBase = 57;

/** The claim of a template for one entry of a pod, which owns it. */
export function generatedClaim({ metadata }: Pod, entry: string, { spec }: ResourceClaimTemplate): ResourceClaim {
  const { name = '', namespace = '', uid = '' } = metadata ?? {};
  const { annotations = {}, labels } = spec.metadata ?? {};
  return {
    metadata: {
      namespace,
      generateName: baseOf(name, entry),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
      annotations: { ...annotations, [podClaimAnnotation]: entry },
      ...(labels === undefined ? {} : { labels }),
    },
    spec: spec.spec,
  };
}

/** Both names, cut in proportion where they are too long together. */
function baseOf(pod: string, entry: string): string {
  const whole = `${pod}-${entry}-`;
  if (whole.length <= mostOfBase) return whole;
  const cut = pod.slice(0, Math.floor((pod.length * mostOfBase) / whole.length));
  const shorter = `${cut}-`;
  return shorter + entry.slice(0, Math.floor((entry.length * mostOfBase) / whole.length));
}
