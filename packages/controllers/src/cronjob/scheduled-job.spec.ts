import type { CronJob } from '@kubechain/apimachinery/types/batch/v1';
import { loadLocation } from '@kubechain/component-helpers';
import { expect } from 'chai';
import { scheduledJob } from './scheduled-job.ts';

const cronJob = {
  metadata: { name: 'nightly', namespace: 'n', uid: 'u' },
  spec: { schedule: '@daily', jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { parallelism: 2 } } },
} as unknown as CronJob;

describe('the job of a start', () => {
  const startMs = Date.parse('2026-07-01T22:00:00Z');
  it('has the name of its minute, the template, and its owner', () => {
    const { metadata, spec } = scheduledJob(cronJob, startMs, loadLocation(''));
    expect(metadata?.name).to.equal('nightly-29715720');
    expect(metadata?.labels).to.deep.equal({ a: 'b' });
    expect(metadata?.ownerReferences?.[0]).to.deep.include({ kind: 'CronJob', uid: 'u', controller: true });
    expect(spec?.parallelism).to.equal(2);
  });
  for (const [zone, expected] of [
    ['', '2026-07-01T22:00:00Z'],
    ['Europe/Berlin', '2026-07-02T00:00:00+02:00'],
    ['America/St_Johns', '2026-07-01T19:30:00-02:30'],
  ] as const)
    it(`says when it was due in ${zone === '' ? 'UTC' : zone}`, () =>
      expect(scheduledJob(cronJob, startMs, loadLocation(zone)).metadata?.annotations).to.deep.equal({
        'batch.kubernetes.io/cronjob-scheduled-timestamp': expected,
      }));
});
