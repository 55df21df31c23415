import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { matchesTerm, tolerates } from '../../placement/node-selection.ts';
import type { NodeInfo } from '../node-info.ts';
import { proportional } from './normalize.ts';

/** Few taints that would rather not have the pod (plugin TaintToleration, 1.36). */
export function taintScores({ spec }: Pod, nodes: readonly NodeInfo[]): readonly number[] {
  const tolerations = (spec?.tolerations ?? []).filter(({ effect = '' }) => ['', 'PreferNoSchedule'].includes(effect));
  const disliked = nodes.map(
    ({ node }) =>
      (node.spec?.taints ?? []).filter((taint) => taint.effect === 'PreferNoSchedule' && !tolerates(tolerations, taint))
        .length,
  );
  return proportional(disliked, true);
}

/** The weights of the pod's preferred terms that a node meets (plugin NodeAffinity, 1.36); undefined: it has none. */
export function nodeAffinityScores({ spec }: Pod, nodes: readonly NodeInfo[]): readonly number[] | undefined {
  const terms = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (terms.length === 0) return undefined;
  const met = nodes.map(({ node }) =>
    terms.reduce((sum, { preference, weight }) => (matchesTerm(preference, node) ? sum + weight : sum), 0),
  );
  return proportional(met);
}
