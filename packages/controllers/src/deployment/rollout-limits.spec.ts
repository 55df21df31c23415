import { expect } from 'chai';
import type { Deployment, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import { newSetSize, proportionOf, rolloutLimits } from './rollout-limits.ts';

function deployment(replicas: number, maxSurge: number | string, maxUnavailable: number | string): Deployment {
  return {
    spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } },
  } as Deployment;
}
const set = (replicas: number, max?: number): ReplicaSet =>
  ({
    metadata: { annotations: max === undefined ? {} : { 'deployment.kubernetes.io/max-replicas': String(max) } },
    spec: { replicas },
  }) as ReplicaSet;

describe('limits of a rollout', () => {
  const cases: readonly (readonly [
    replicas: number,
    surge: number | string,
    missing: number | string,
    expected: object,
  ])[] = [
    [10, '25%', '25%', { maxSurge: 3, maxUnavailable: 2 }],
    [1, '25%', '25%', { maxSurge: 1, maxUnavailable: 0 }],
    [10, 0, '5%', { maxSurge: 0, maxUnavailable: 1 }],
    [2, 0, 5, { maxSurge: 0, maxUnavailable: 2 }],
    [0, '25%', '25%', { maxSurge: 0, maxUnavailable: 0 }],
  ];
  for (const [replicas, surge, missing, expected] of cases)
    it(`are ${JSON.stringify(expected)} for ${replicas} replicas with ${surge} more and ${missing} missing`, () => {
      expect(rolloutLimits(deployment(replicas, surge, missing))).to.deep.equal(expected);
    });
  it('let the new set grow as far as there is room', () => {
    expect(newSetSize(deployment(10, 2, 0), [set(10)], 0)).to.equal(2);
    expect(newSetSize(deployment(10, 2, 0), [set(10), set(2)], 2)).to.equal(2);
    expect(newSetSize(deployment(3, '100%', 0), [set(0), set(1)], 1)).to.equal(3);
  });
  it('share out a change of size by what sets had', () => {
    const larger = deployment(20, 0, 0);
    expect(proportionOf(set(8, 10), larger, { toAdd: 10, added: 0 })).to.equal(8);
    expect(proportionOf(set(2, 10), larger, { toAdd: 10, added: 8 })).to.equal(2);
    expect(proportionOf(set(0, 10), larger, { toAdd: 10, added: 0 })).to.equal(0);
    expect(proportionOf(set(8, 10), deployment(0, 0, 0), { toAdd: -10, added: 0 })).to.equal(-8);
  });
});
