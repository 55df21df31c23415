import type { KubeObject } from '@kubechain/apimachinery';
import type { Stage } from './stage.ts';

/**
 * The object's next stage, by chance where several match: as their weights say, evenly where these say nothing (kwok's
 * pkg/utils/lifecycle). Undefined: none matches.
 */
export function chooseStage(stages: readonly Stage[], object: KubeObject, random: () => number): Stage | undefined {
  const matching = stages.filter((stage) => stage.matches(object));
  if (matching.length < 2) return matching[0];
  const weighed = matching.map((stage) => ({ stage, weight: stage.weightOf(object) }));
  const total = weighed.reduce((sum, { weight = 0 }) => sum + Math.max(0, weight), 0);
  if (total === 0) {
    const known = weighed.filter(({ weight }) => weight !== undefined);
    const from = known.length === 0 ? weighed : known;
    return from[Math.floor(random() * from.length)]?.stage;
  }
  let left = random() * total;
  for (const { stage, weight = 0 } of weighed) {
    if (weight <= 0) continue;
    left -= weight;
    if (left < 0) return stage;
  }
  return undefined;
}
