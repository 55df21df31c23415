import type { CronJob, Job } from '@kubechain/apimachinery/types/batch/v1';
import { expect } from 'chai';
import { surplusJobs } from './job-history.ts';

const job = (name: string, end: 'Complete' | 'Failed' | undefined, started?: string): Job =>
  ({
    metadata: { name },
    status: {
      ...(started === undefined ? {} : { startTime: `2026-01-01T${started}:00Z` }),
      conditions: end === undefined ? [] : [{ type: end, status: 'True' }],
    },
  }) as unknown as Job;
const gone = (limits: object, jobs: readonly Job[]): readonly (string | undefined)[] =>
  surplusJobs({ spec: limits } as unknown as CronJob, jobs).map(({ metadata }) => metadata?.name);

describe('jobs beyond the history', () => {
  const jobs = [
    job('b', 'Complete', '02:00'),
    job('a', 'Complete', '01:00'),
    job('never-began', 'Complete'),
    job('f', 'Failed', '01:00'),
    job('running', undefined, '00:00'),
  ];
  it('are the oldest of each kind', () =>
    expect(gone({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 }, jobs)).to.deep.equal(['a', 'b', 'f']));
  it('are none where there is no limit', () => expect(gone({}, jobs)).to.deep.equal([]));
});
