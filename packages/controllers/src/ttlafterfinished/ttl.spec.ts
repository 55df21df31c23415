import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import { expect } from 'chai';
import { ttlLeftMs } from './ttl.ts';

const nowMs = Date.parse('2026-01-01T00:01:00Z');
const job = (ttlSecondsAfterFinished: number | undefined, type: string, deleted = false): Job =>
  ({
    metadata: deleted ? { deletionTimestamp: '2026-01-01T00:00:30Z' } : {},
    spec: ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished },
    status: { conditions: [{ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  }) as unknown as Job;

describe('the time that a job stays', () => {
  for (const [name, one, left] of [
    ['counts from its success', job(90, 'Complete'), 30_000],
    ['counts from its failure', job(90, 'Failed'), 30_000],
    ['is over', job(0, 'Complete'), -60_000],
    ['has not begun', job(90, 'SuccessCriteriaMet'), undefined],
    ['is not limited', job(undefined, 'Complete'), undefined],
    ['does not matter once it goes', job(0, 'Complete', true), undefined],
  ] as const)
    it(name, () => expect(ttlLeftMs(one, nowMs)).to.equal(left));
});
