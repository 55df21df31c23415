import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { parseIntervals } from './index-intervals.ts';
import { failsIndex, heldPods, isFailed, podsToRemove, templateOf } from './job-pods.ts';

const prefix = 'batch.kubernetes.io/job';
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c' }] } };
const indexedJob = {
  metadata: { name: 'j' },
  spec: { completionMode: 'Indexed', completions: 5, backoffLimitPerIndex: 1, template },
} as unknown as Job;
const pod = (name: string, index: number | undefined, { failures = 0, phase = 'Failed', deleted = false } = {}): Pod =>
  ({
    metadata: {
      name,
      uid: name,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:30Z' } : {}),
      annotations: {
        ...(index === undefined ? {} : { [`${prefix}-completion-index`]: String(index) }),
        [`${prefix}-index-failure-count`]: String(failures),
      },
    },
    spec: { nodeName: 'n', containers: [] },
    status: { phase },
  }) as unknown as Pod;
const names = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata?.name ?? '');

describe("an index's pods", () => {
  it('carry the index in their name, label, annotation and environment', () => {
    const { generateName, template: made } = templateOf(indexedJob, 3, pod('old', 3, { failures: 1 }));
    expect(generateName).to.equal('j-3-');
    expect(made.metadata?.finalizers).to.deep.equal([`${prefix}-tracking`]);
    expect(made.metadata?.labels).to.deep.equal({ [`${prefix}-completion-index`]: '3' });
    expect(made.metadata?.annotations).to.deep.equal({
      [`${prefix}-completion-index`]: '3',
      [`${prefix}-index-failure-count`]: '2',
    });
    expect(made.spec?.hostname).to.equal('j-3');
    expect(made.spec?.containers[0]?.env?.map(({ name }) => name)).to.deep.equal(['JOB_COMPLETION_INDEX']);
    expect(template.spec.containers).to.deep.equal([{ name: 'c' }]);
  });
  it('have names that the server can lengthen', () => {
    const long = { ...indexedJob, metadata: { name: 'x'.repeat(63) } };
    expect(templateOf(long, 12, undefined).generateName).to.equal(`${'x'.repeat(54)}-12-`);
  });
  it('are given up one too many at a time', () => {
    const pods = [
      pod('a', 0, { phase: 'Running' }),
      pod('b', 0, { phase: 'Pending' }),
      pod('none', undefined, { phase: 'Running' }),
      pod('beyond', 9, { phase: 'Running' }),
      pod('c', 1, { phase: 'Running' }),
    ];
    const surplus = podsToRemove(indexedJob, pods, { atLeast: 0, nowMs: 0 });
    expect(names(surplus)).to.have.members(['b', 'none', 'beyond']);
    expect(podsToRemove(indexedJob, pods, { atLeast: 4, nowMs: 0 })).to.have.length(4);
  });
  it('are held while none has taken their place', () => {
    const pods = [
      pod('a', 0),
      pod('b', 1),
      pod('c', 2),
      pod('d', 3, { failures: 1 }),
      pod('e', 3),
      pod('f', 4, { phase: 'Running' }),
    ];
    const held = heldPods(indexedJob, pods, { done: parseIntervals('1', 5), active: new Set([2]) });
    expect(Array.from(held, ([index, { metadata }]) => [index, metadata?.name])).to.deep.equal([
      [0, 'a'],
      [3, 'd'],
    ]);
  });
  it('fail their index when its limit is reached', () => {
    expect(failsIndex(indexedJob, pod('a', 0))).to.equal(false);
    expect(failsIndex(indexedJob, pod('a', 0, { failures: 1 }))).to.equal(true);
    expect(failsIndex(indexedJob, pod('a', 0, { failures: 1, phase: 'Running' }))).to.equal(false);
  });
});

describe('a pod of a job has failed', () => {
  const waits = { ...indexedJob, spec: { ...indexedJob.spec!, podReplacementPolicy: 'Failed' } } as Job;
  for (const [phase, deleted, atOnce, later] of [
    ['Failed', false, true, true],
    ['Running', false, false, false],
    ['Running', true, true, false],
    ['Succeeded', true, false, false],
  ] as const)
    it(`${atOnce ? '' : 'not '}when ${phase}${deleted ? ' and being deleted' : ''}`, () => {
      expect(isFailed(indexedJob, pod('a', 0, { phase, deleted }))).to.equal(atOnce);
      expect(isFailed(waits, pod('a', 0, { phase, deleted }))).to.equal(later);
    });
});
