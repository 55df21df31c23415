import type { NodeSelectorRequirement, VolumeNodeAffinity } from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../../semantic-equal.ts';

const stableLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
]);

/**
 * Whether an affinity is the old one but for labels of nodes that have their stable names by now (betaToGALabel of
 * pkg/apis/core/validation, 1.36).
 */
export function sameNodes(affinity: VolumeNodeAffinity | undefined, old: VolumeNodeAffinity): boolean {
  const terms = old.required?.nodeSelectorTerms?.map((term, i) => {
    const now = affinity?.required?.nodeSelectorTerms?.[i];
    return { ...term, ...renamed(term, now, 'matchExpressions'), ...renamed(term, now, 'matchFields') };
  });
  return semanticEqual(
    affinity,
    terms === undefined ? old : { ...old, required: { ...old.required, nodeSelectorTerms: terms } },
  );
}

type Requirements = {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
};

function renamed(
  term: Requirements,
  now: Requirements | undefined,
  field: keyof Requirements,
): Partial<Record<keyof Requirements, Partial<NodeSelectorRequirement>[]>> {
  const list = term[field];
  return list === undefined
    ? {}
    : {
        [field]: list.map((requirement, i) => {
          const given: Partial<NodeSelectorRequirement> = now?.[field]?.[i] ?? requirement;
          // A label without another name counts as renamed to the empty one, which may be left out.
          if ((stableLabels.get(requirement.key) ?? '') !== (given.key ?? '')) return requirement;
          const { key: _key, ...rest } = requirement;
          return given.key === undefined ? rest : { ...rest, key: given.key };
        }),
      };
}
