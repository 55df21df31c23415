import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { completed, countedStatus, isUnavailable } from './set-status.ts';

const nowMs = Date.parse('2026-01-01T00:01:00Z');
const revisions = {
  current: { metadata: { name: 'old' }, revision: 1 },
  update: { metadata: { name: 'new' }, revision: 2 },
  collisionCount: 0,
};
const set = {
  metadata: { generation: 3 },
  spec: { replicas: 2, minReadySeconds: 30, updateStrategy: { type: 'RollingUpdate' } },
} as unknown as StatefulSet;
const pod = (revision: string, readySince?: string, deleted = false): Pod =>
  ({
    metadata: {
      labels: { 'controller-revision-hash': revision },
      ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    status: {
      phase: 'Running',
      conditions: readySince === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: readySince }],
    },
  }) as unknown as Pod;
const long = '2026-01-01T00:00:00Z';
const short = '2026-01-01T00:00:50Z';

describe("a stateful set's status", () => {
  it('counts pods by revision and by how far they are', async () => {
    const planned = { metadata: { labels: { 'controller-revision-hash': 'new' } } } as Pod;
    const pods = [pod('old', long), pod('new', short), pod('new'), pod('old', long, true), planned];
    expect(await countedStatus(set, pods, { revisions, nowMs })).to.deep.equal({
      observedGeneration: 3,
      replicas: 4,
      readyReplicas: 3,
      availableReplicas: 2,
      currentReplicas: 1,
      updatedReplicas: 2,
      currentRevision: 'old',
      updateRevision: 'new',
      collisionCount: 0,
    });
  });
  for (const [name, pods, current] of [
    ['moves on when all are new and ready', [pod('new', short), pod('new', long)], 'new'],
    ['waits for the last old one', [pod('new', long), pod('old', long)], 'old'],
    ['waits for the last one to be ready', [pod('new', long), pod('new')], 'old'],
  ] as const)
    it(name, async () => {
      const status = completed(set, await countedStatus(set, pods, { revisions, nowMs }));
      expect(status.currentRevision).to.equal(current);
      expect(status.currentReplicas).to.equal(current === 'new' ? 2 : status.currentReplicas);
    });
  it('takes pods for unavailable that are new, unready or on their way out', () => {
    const pods = [pod('new', long), pod('new', short), pod('new'), pod('new', long, true)];
    expect(pods.map((one) => isUnavailable(one, 30, nowMs))).to.deep.equal([false, true, true, true]);
  });
});
