import type { HorizontalPodAutoscalerBehavior } from '@kubechain/apimachinery/types/autoscaling/v2';
import { expect } from 'chai';
import { Recommendations } from './recommendations.ts';

/** Wishes one after another: the second at which each is made, what is wanted, and what comes of it. */
type Step = readonly [second: number, desired: number, replicas: number, reason: string];

function play(steps: readonly Step[], start: number, behavior?: HorizontalPodAutoscalerBehavior, max = 100): void {
  const history = new Recommendations(300_000, start, 0);
  let current = start;
  for (const [second, desired, replicas, reason] of steps) {
    const normalized = history.normalize({ current, desired, min: 2, max }, behavior, second * 1_000);
    const words = normalized.stabilized && !normalized.limited ? normalized.stabilization : normalized.limit;
    expect([normalized.replicas, words.reason], `after ${second} s`).to.deep.equal([replicas, reason]);
    if (replicas !== current) history.scaled(behavior, replicas - current, second * 1_000);
    current = replicas;
  }
}

describe('a recommendation without rules', () => {
  it('at most doubles the target at once', () =>
    play(
      [
        [0, 20, 8, 'ScaleUpLimit'],
        [15, 20, 16, 'ScaleUpLimit'],
        [30, 20, 20, 'DesiredWithinRange'],
      ],
      4,
    ));
  it('waits with less until nothing higher was recommended for a while', () =>
    play(
      [
        [0, 10, 10, 'DesiredWithinRange'],
        [60, 5, 10, 'ScaleDownStabilized'],
        [299, 5, 10, 'ScaleDownStabilized'],
        [301, 5, 5, 'DesiredWithinRange'],
      ],
      10,
    ));
  it('keeps within least and most', () =>
    play(
      [
        [0, 30, 12, 'TooManyReplicas'],
        [400, 1, 2, 'TooFewReplicas'],
      ],
      10,
      undefined,
      12,
    ));
});

describe('a recommendation with rules', () => {
  const rules = (behavior: object): HorizontalPodAutoscalerBehavior => behavior as HorizontalPodAutoscalerBehavior;
  it('adds no more than its policies allow in their periods', () =>
    play(
      [
        [0, 50, 14, 'ScaleUpLimit'],
        [30, 50, 14, 'ScaleUpLimit'],
        [61, 50, 18, 'ScaleUpLimit'],
      ],
      10,
      rules({
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Min',
          policies: [
            { type: 'Pods', value: 4, periodSeconds: 60 },
            { type: 'Percent', value: 100, periodSeconds: 60 },
          ],
        },
        scaleDown: { selectPolicy: 'Max', policies: [] },
      }),
    ));
  it('takes the larger of its policies by default', () =>
    play(
      [[0, 50, 20, 'ScaleUpLimit']],
      10,
      rules({
        scaleUp: {
          selectPolicy: 'Max',
          policies: [
            { type: 'Pods', value: 4, periodSeconds: 60 },
            { type: 'Percent', value: 100, periodSeconds: 60 },
          ],
        },
      }),
    ));
  it('takes away no more than its policies allow', () =>
    play(
      [
        [0, 2, 80, 'ScaleDownLimit'],
        [30, 2, 80, 'ScaleDownLimit'],
        [61, 2, 64, 'ScaleDownLimit'],
      ],
      100,
      rules({
        scaleDown: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Max',
          policies: [{ type: 'Percent', value: 20, periodSeconds: 60 }],
        },
      }),
    ));
  it('takes nothing away where that is switched off', () =>
    play(
      [[0, 2, 10, 'ScaleDownLimit']],
      10,
      rules({ scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: 'Disabled' } }),
    ));
  it('waits with more as long as less was recommended', () =>
    play(
      [
        [10, 20, 10, 'ScaleUpStabilized'],
        [59, 20, 10, 'ScaleUpStabilized'],
        [75, 20, 20, 'DesiredWithinRange'],
      ],
      10,
      rules({
        scaleUp: {
          stabilizationWindowSeconds: 60,
          selectPolicy: 'Max',
          policies: [{ type: 'Percent', value: 1_000, periodSeconds: 15 }],
        },
      }),
    ));
});
