import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { countByPods, countByValue, countPerPod, type CountOptions } from './replica-count.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(nowMs - seconds * 1_000).toISOString();
const options = (currentReplicas: number): CountOptions => ({
  currentReplicas,
  tolerances: { scaleDown: 0.1, scaleUp: 0.1 },
  nowMs,
  cpuInitializationMs: 300_000,
  readinessDelayMs: 30_000,
});
interface Parts {
  readonly phase?: string;
  readonly ready?: string;
  /** Seconds ago. */
  readonly started?: number;
  readonly changed?: number;
  readonly deleted?: boolean;
}
const pod = (
  name: string,
  { changed = 590, deleted = false, phase = 'Running', ready = 'True', started = 600 }: Parts = {},
): Pod =>
  ({
    metadata: { name, ...(deleted ? { deletionTimestamp: ago(1) } : {}) },
    status: {
      phase,
      startTime: ago(started),
      conditions: [{ type: 'Ready', status: ready, lastTransitionTime: ago(changed) }],
    },
  }) as unknown as Pod;
const metrics = (values: Readonly<Record<string, number>>) =>
  new Map(Object.entries(values).map(([name, milli]) => [name, { milli, atMs: nowMs - 10_000, windowMs: 30_000 }]));
const requests = (pods: readonly Pod[]) => () => new Map(pods.map(({ metadata }) => [metadata?.name ?? '', 1_000]));

describe('replicas by the CPU of pods', () => {
  interface Case {
    readonly what: string;
    readonly pods: readonly Pod[];
    readonly usage: Readonly<Record<string, number>>;
    readonly percent: number;
    readonly replicas: number;
  }
  const [a, b, c] = [pod('a'), pod('b'), pod('c')];
  const cases: readonly Case[] = [
    { what: 'grow above the target', pods: [a, b], usage: { a: 900, b: 900 }, percent: 50, replicas: 4 },
    { what: 'shrink below it', pods: [a, b, c], usage: { a: 100, b: 100, c: 100 }, percent: 50, replicas: 1 },
    { what: 'stay near it', pods: [a, b], usage: { a: 540, b: 540 }, percent: 50, replicas: 2 },
    {
      what: 'count a pod without metrics as idle when they grow',
      pods: [a, b, c],
      usage: { a: 900, b: 900 },
      percent: 50,
      replicas: 4,
    },
    {
      what: 'count a pod without metrics as busy when they shrink',
      pods: [a, b, c],
      usage: { a: 100, b: 100 },
      percent: 50,
      replicas: 3,
    },
    {
      what: 'count a pod that is not ready as idle when they grow',
      pods: [a, pod('new', { ready: 'False', started: 20, changed: 20 })],
      usage: { a: 900, new: 2_000 },
      percent: 50,
      replicas: 2,
    },
    {
      what: 'leave out what a pod used before it was ready',
      pods: [a, b, pod('new', { started: 100, changed: 20 })],
      usage: { a: 500, b: 500, new: 5_000 },
      percent: 50,
      replicas: 3,
    },
    {
      what: 'count a pod that has become unready after a while',
      pods: [a, pod('sick', { ready: 'False', started: 600, changed: 60 })],
      usage: { a: 900, sick: 900 },
      percent: 50,
      replicas: 4,
    },
    {
      what: 'leave out pods that go or failed',
      pods: [a, b, pod('going', { deleted: true }), pod('failed', { phase: 'Failed' })],
      usage: { a: 900, b: 900, going: 5_000, failed: 5_000 },
      percent: 50,
      replicas: 4,
    },
    {
      what: 'wait for pods that are not running yet',
      pods: [a, b, pod('p', { phase: 'Pending' })],
      usage: { a: 900, b: 900 },
      percent: 50,
      replicas: 4,
    },
  ];
  for (const { percent, pods, replicas, usage, what } of cases)
    it(what, () => {
      const target = { kind: 'utilization', percent, requests: requests(pods) } as const;
      const counted = countByPods(pods, metrics(usage), target, { ...options(pods.length), resource: 'cpu' });
      expect(counted.replicas).to.equal(replicas);
    });
  it('say what was measured', () => {
    const counted = countByPods(
      [a, b],
      metrics({ a: 250, b: 756 }),
      { kind: 'utilization', percent: 50, requests: requests([a, b]) },
      { ...options(2), resource: 'cpu' },
    );
    expect(counted).to.deep.equal({ replicas: 2, milli: 503, utilization: 50 });
  });
  it('cannot be told without pods or metrics', () => {
    const target = { kind: 'milli', milli: 1 } as const;
    expect(() => countByPods([], metrics({ a: 1 }), target, options(1))).to.throw(
      'no pods returned by selector while calculating replica count',
    );
    expect(() => countByPods([pod('x', { phase: 'Pending' })], metrics({ x: 1 }), target, options(1))).to.throw(
      'did not receive metrics for targeted pods (pods might be unready)',
    );
  });
});

describe('replicas by other metrics', () => {
  const pods = [pod('a'), pod('b'), pod('c', { ready: 'False' })];
  it('are as many times those that are ready as the value is of its target', () =>
    expect(countByValue(pods, { milli: 30_000, targetMilli: 10_000 }, options(3)).replicas).to.equal(6));
  it('are as many as the value needs, where each is to have so much of it', () =>
    expect(
      countPerPod({ milli: 45_000, targetMilli: 10_000 }, { statusReplicas: 3, tolerances: options(3).tolerances }),
    ).to.deep.equal({ replicas: 5, milli: 15_000 }));
  it('stay near the target', () =>
    expect(
      countPerPod({ milli: 31_000, targetMilli: 10_000 }, { statusReplicas: 3, tolerances: options(3).tolerances })
        .replicas,
    ).to.equal(3));
});
