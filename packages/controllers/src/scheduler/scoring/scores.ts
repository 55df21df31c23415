import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { NodeInfo } from '../node-info.ts';
import type { AffinityView } from '../pod-affinity.ts';
import type { PodDevices } from '../pod-devices.ts';
import { imageScores } from './image-locality.ts';
import { nodeAffinityScores, taintScores } from './node-preferences.ts';
import { proportional } from './normalize.ts';
import { podAffinityScores } from './pod-preferences.ts';
import { balanceScores, leastAllocatedScores } from './resources.ts';
import { spreadScores, type SpreadView } from './spread-preferences.ts';

export interface ScoreView extends AffinityView, SpreadView {
  /** What the pod's claims for devices say. Absent: it has none. */
  readonly devices?: PodDevices | undefined;
}

/**
 * How well a node does for a pod among those that can take it, higher is better: the reference's plugins with their
 * default weights (getDefaultPlugins, 1.36). Those that have nothing to say are left out.
 */
export async function scoresOf(pod: Pod, nodes: readonly NodeInfo[], view: ScoreView): Promise<readonly number[]> {
  const plugins: readonly (readonly [weight: number, scores: readonly number[] | undefined])[] = [
    [3, taintScores(pod, nodes)],
    [2, nodeAffinityScores(pod, nodes)],
    [1, leastAllocatedScores(pod, nodes)],
    [2, spreadScores(pod, nodes, view)],
    [2, await podAffinityScores(pod, nodes, view)],
    [2, view.devices === undefined ? undefined : proportional(nodes.map(({ node }) => view.devices!.scoreOf(node)))],
    [1, balanceScores(pod, nodes)],
    [1, imageScores(pod, nodes, view.nodes)],
  ];
  const sums = nodes.map(() => 0);
  for (const [weight, scores] of plugins)
    if (scores !== undefined) for (const [i, score] of scores.entries()) sums[i]! += weight * score;
  return sums;
}
