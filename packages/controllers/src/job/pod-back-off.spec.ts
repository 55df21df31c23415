import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { backOffLeftMs, finishedMs, noFailures, recordAfter, type BackOffRecord } from './pod-back-off.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();
const ended = (seconds: number): Pod =>
  ({ status: { containerStatuses: [{ name: 'c', state: { terminated: { finishedAt: at(seconds) } } }] } }) as Pod;

describe("a job's back-off", () => {
  const known: BackOffRecord = { failures: 2, lastFailureMs: start };
  const records: readonly (readonly [name: string, failed: number[], succeeded: number[], after: BackOffRecord])[] = [
    ['stays while nothing ends', [], [], known],
    ['adds failures', [7, 5], [], { failures: 4, lastFailureMs: start + 7_000 }],
    ['ends with a success', [], [9], noFailures],
    ['begins anew after a success', [1, 6, 4], [3], { failures: 2, lastFailureMs: start + 6_000 }],
    ['forgets failures before a success', [1, 2], [3], noFailures],
  ];
  for (const [name, failed, succeeded, after] of records)
    it(name, () =>
      expect(recordAfter(known, { failed: failed.map(ended), succeeded: succeeded.map(ended) })).to.deep.equal(after),
    );
  for (const [failures, elapsed, left] of [
    [0, 0, 0],
    [1, 0, 10],
    [1, 4, 6],
    [1, 11, 0],
    [3, 0, 40],
    [9, 0, 600],
    [99, 0, 600],
  ] as const)
    it(`leaves ${left} s, ${elapsed} s after failure ${failures}`, () =>
      expect(backOffLeftMs({ failures, lastFailureMs: start }, start + elapsed * 1_000)).to.equal(left * 1_000));
});

describe('the end of a pod', () => {
  const created = { creationTimestamp: at(1) };
  const unready = [{ type: 'Ready', status: 'False', lastTransitionTime: at(2) }];
  const cases: readonly (readonly [name: string, pod: object, seconds: number])[] = [
    ['the last of its containers', { status: { containerStatuses: [...containers(3), ...containers(5)] } }, 5],
    [
      'its sidecars too',
      {
        spec: { initContainers: [{ name: 'c', restartPolicy: 'Always' }] },
        status: { containerStatuses: containers(3), initContainerStatuses: containers(8) },
      },
      8,
    ],
    ['when it became unready', { metadata: created, status: { conditions: unready } }, 2],
    [
      'when its deletion was asked for',
      { metadata: { ...created, deletionTimestamp: at(40), deletionGracePeriodSeconds: 30 } },
      10,
    ],
    ['its creation', { metadata: created }, 1],
  ];
  for (const [name, pod, seconds] of cases)
    it(`is ${name}`, () => expect(finishedMs(pod as Pod)).to.equal(start + seconds * 1_000));
});

function containers(seconds: number): object[] {
  return [{ name: 'c', state: { terminated: { finishedAt: at(seconds) } } }];
}
