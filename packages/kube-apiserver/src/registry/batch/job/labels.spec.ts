import { noteEmptied } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { RESTContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { defaultJob } from './defaults.ts';
import { replicationControllerStatusStrategy } from '../../core/replicationcontroller/strategy.ts';
import { jobStatusStrategy, jobStrategy } from './strategy.ts';
import { capabilitiesOf } from '../../capabilities.ts';

describe('labels of jobs', () => {
  it('are those of the template, with what is added to them', async () => {
    const job = {
      metadata: { name: 'j', uid: 'u' },
      spec: { template: { metadata: { labels: { a: 'v' } }, spec: { containers: [] } } },
    } as Job;
    defaultJob(job);
    await jobStrategy(capabilitiesOf({ allowPrivileged: false })).prepareForCreate?.(
      job as KubeObject,
      {} as RESTContext,
    );
    const expected = {
      a: 'v',
      'job-name': 'j',
      'batch.kubernetes.io/job-name': 'j',
      'controller-uid': 'u',
      'batch.kubernetes.io/controller-uid': 'u',
    };
    expect(job.metadata?.labels).to.deep.equal(expected);
    expect(job.spec?.template.metadata?.labels).to.deep.equal(expected);
  });

  it('are those that are added to a template whose labels were sent without entries', async () => {
    const metadata = {};
    noteEmptied(metadata, 'labels', 'map');
    const job = {
      metadata: { name: 'j', uid: 'u' },
      spec: { template: { metadata, spec: { containers: [] } } },
    } as Job;
    defaultJob(job);
    await jobStrategy(capabilitiesOf({ allowPrivileged: false })).prepareForCreate?.(
      job as KubeObject,
      {} as RESTContext,
    );
    expect(job.metadata?.labels)
      .to.deep.include({ 'job-name': 'j', 'controller-uid': 'u' })
      .and.to.equal(job.spec?.template.metadata?.labels);
  });

  it('stay where a new status comes without them', () => {
    for (const strategy of [jobStatusStrategy, replicationControllerStatusStrategy]) {
      const object = { metadata: { name: 'j' }, spec: { template: { metadata: { labels: { a: 'v' } } } } };
      strategy.canonicalize?.(object as unknown as KubeObject);
      expect(object.metadata).to.deep.equal({ name: 'j', labels: { a: 'v' } });
    }
  });
});
