import type { Job, JobSpec, JobStatus } from '@kubechain/apimachinery/types/batch/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { parseIntervals } from './index-intervals.ts';
import { verdictOf } from './verdict.ts';

const nowMs = Date.parse('2026-01-01T00:01:00Z');
const restarting = { status: { phase: 'Running', containerStatuses: [{ name: 'c', restartCount: 2 }] } } as Pod;
const failed = {
  metadata: { name: 'p', namespace: 'n' },
  status: { phase: 'Failed', conditions: [{ type: 'DisruptionTarget', status: 'True' }] },
} as Pod;

interface Parts {
  readonly status?: JobStatus;
  readonly pods?: readonly Pod[];
  readonly failed?: number;
  readonly succeededIndexes?: string;
  readonly failedIndexes?: string;
}

describe('the verdict on a job', () => {
  const indexed = { completionMode: 'Indexed', completions: 4, backoffLimitPerIndex: 1 } as const;
  const onFailure = { template: { spec: { restartPolicy: 'OnFailure', containers: [] } } } as const;
  const cases: readonly (readonly [name: string, spec: object, parts: Parts, reason: string | undefined])[] = [
    ['waits for more failures', { backoffLimit: 2 }, { failed: 2 }, undefined],
    ['is that it failed too often', { backoffLimit: 2 }, { failed: 3 }, 'BackoffLimitExceeded'],
    ['counts restarts in place', { backoffLimit: 2, ...onFailure }, { pods: [restarting] }, 'BackoffLimitExceeded'],
    ['lets some restarts pass', { backoffLimit: 3, ...onFailure }, { pods: [restarting] }, undefined],
    [
      'takes one restart for a limit of 0',
      { backoffLimit: 0, ...onFailure },
      { pods: [restarting] },
      'BackoffLimitExceeded',
    ],
    ['counts no restarts of pods that never restart', { backoffLimit: 0 }, { pods: [restarting] }, undefined],
    [
      'is that its time is over',
      { activeDeadlineSeconds: 60 },
      { status: { startTime: '2026-01-01T00:00:00Z' } },
      'DeadlineExceeded',
    ],
    [
      'gives a suspended job time',
      { activeDeadlineSeconds: 60, suspend: true },
      { status: { startTime: '2026-01-01T00:00:00Z' } },
      undefined,
    ],
    [
      'is its failure policy’s before its limit’s',
      {
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [{ action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
        },
      },
      { pods: [failed], failed: 1 },
      'PodFailurePolicy',
    ],
    ['waits for other indexes', indexed, { failedIndexes: '1' }, undefined],
    ['is that indexes failed', indexed, { failedIndexes: '1', succeededIndexes: '0,2,3' }, 'FailedIndexes'],
    [
      'is that too many failed',
      { ...indexed, maxFailedIndexes: 1 },
      { failedIndexes: '1,2' },
      'MaxFailedIndexesExceeded',
    ],
    [
      'is its success policy’s',
      { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } },
      { succeededIndexes: '2' },
      'SuccessPolicy',
    ],
    [
      'stays what it was',
      { backoffLimit: 0 },
      { failed: 5, status: { conditions: [{ type: 'SuccessCriteriaMet', status: 'True', reason: 'Before' }] } },
      'Before',
    ],
  ];
  for (const [
    name,
    spec,
    { failed: count = 0, failedIndexes, pods = [], status = {}, succeededIndexes = '' },
    reason,
  ] of cases)
    it(name, () => {
      const job: Job = { spec: { template: {}, ...spec } as JobSpec, status };
      const verdict = verdictOf(job, {
        pods,
        failed: count,
        succeededIndexes: parseIntervals(succeededIndexes, 4),
        failedIndexes: failedIndexes === undefined ? undefined : parseIntervals(failedIndexes, 4),
        nowMs,
      });
      expect(verdict?.reason).to.equal(reason);
    });
});
