import { loopTurns } from '@kubechain/apimachinery';
import type { Pod, PodAffinityTerm } from '@kubechain/apimachinery/types/core/v1';
import type { NodeInfo } from '../node-info.ts';
import { speaksOf, type AffinityView } from '../pod-affinity.ts';
import { maxNodeScore } from './normalize.ts';

/** What a required term of a pod that is there counts for one that it would be with (hardPodAffinityWeight). */
const weightOfRequired = 1;

/**
 * Which nodes are near the pods that this one would be with, and that would be with it, and far from the others
 * (plugin InterPodAffinity, 1.36). Undefined: nobody cares. Others have the thread between two pods.
 */
export async function podAffinityScores(
  pod: Pod,
  nodes: readonly NodeInfo[],
  view: AffinityView,
): Promise<readonly number[] | undefined> {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const liked = podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const disliked = podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const cares = liked.length + disliked.length > 0;
  /** By topology key, then by its value. */
  const sums = new Map<string, Map<string, number>>();
  const count = (
    { node }: NodeInfo,
    { owner, other, term, weight }: { owner: Pod; other: Pod; term: PodAffinityTerm; weight: number },
  ): void => {
    const value = node.metadata?.labels?.[term.topologyKey];
    if (value === undefined || !speaksOf(term, { owner, pod: other, view })) return;
    const values = sums.get(term.topologyKey) ?? new Map<string, number>();
    sums.set(term.topologyKey, values.set(value, (values.get(value) ?? 0) + weight));
  };
  for (const info of view.nodes) {
    if (!cares && !info.hasChoosyPods) continue;
    const others = cares ? Array.from(info.pods, (placed) => placed.pod) : info.choosyPods;
    for (const other of others) {
      for (const { podAffinityTerm: term, weight } of liked) count(info, { owner: pod, other, term, weight });
      for (const { podAffinityTerm: term, weight } of disliked)
        count(info, { owner: pod, other, term, weight: -weight });
      const theirs = other.spec?.affinity;
      for (const term of theirs?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
        count(info, { owner: other, other: pod, term, weight: weightOfRequired });
      for (const { podAffinityTerm: term, weight } of theirs?.podAffinity
        ?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
        count(info, { owner: other, other: pod, term, weight });
      for (const { podAffinityTerm: term, weight } of theirs?.podAntiAffinity
        ?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
        count(info, { owner: other, other: pod, term, weight: -weight });
      const turn = loopTurns.next();
      if (turn !== undefined) await turn;
    }
  }
  if (sums.size === 0) return undefined;
  const raw = nodes.map(({ node }) => {
    let sum = 0;
    for (const [key, values] of sums) sum += values.get(node.metadata?.labels?.[key] ?? '\0') ?? 0;
    return sum;
  });
  const least = Math.min(...raw);
  const range = Math.max(...raw) - least;
  return raw.map((sum) => (range === 0 ? 0 : Math.trunc(maxNodeScore * ((sum - least) / range))));
}
