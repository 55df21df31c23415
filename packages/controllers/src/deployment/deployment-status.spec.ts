import { expect } from 'chai';
import type { Deployment, DeploymentStatus, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import { conditionOf, rolloutStatus } from './deployment-status.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const now = '2026-01-01T01:00:00Z';
const before = '2026-01-01T00:00:00Z';

function deployment(status?: DeploymentStatus): Deployment {
  return {
    metadata: { name: 'web', generation: 2 },
    spec: {
      replicas: 2,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    },
    ...(status === undefined ? {} : { status }),
  } as Deployment;
}
function set(name: string, counts: { replicas: number; available: number }, failure?: string): ReplicaSet {
  return {
    metadata: { name },
    spec: { replicas: counts.replicas },
    status: {
      replicas: counts.replicas,
      readyReplicas: counts.available,
      availableReplicas: counts.available,
      observedGeneration: 1,
      terminatingReplicas: 0,
      ...(failure === undefined
        ? {}
        : { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: failure }] }),
    },
  } as ReplicaSet;
}
const progressing = (reason: string, updated = before): DeploymentStatus => ({
  replicas: 3,
  updatedReplicas: 1,
  readyReplicas: 2,
  availableReplicas: 2,
  unavailableReplicas: 1,
  conditions: [{ type: 'Progressing', status: 'True', reason, lastUpdateTime: updated, lastTransitionTime: before }],
});

describe('the status of a rollout', () => {
  it('tells that it is done', () => {
    const sets = {
      newSet: set('web-b', { replicas: 2, available: 2 }),
      oldSets: [set('web-a', { replicas: 0, available: 0 })],
    };
    const status = rolloutStatus(deployment(progressing('ReplicaSetUpdated')), sets, nowMs);
    expect(status).to.deep.include({ observedGeneration: 2, replicas: 2, updatedReplicas: 2, terminatingReplicas: 0 });
    expect(status).not.to.have.property('unavailableReplicas');
    expect(conditionOf(status, 'Progressing')).to.deep.equal({
      type: 'Progressing',
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: 'ReplicaSet "web-b" has successfully progressed.',
      lastUpdateTime: now,
      lastTransitionTime: before,
    });
    expect(conditionOf(status, 'Available')?.reason).to.equal('MinimumReplicasAvailable');
  });
  it('renews its time with each step', () => {
    const sets = {
      newSet: set('web-b', { replicas: 2, available: 1 }),
      oldSets: [set('web-a', { replicas: 1, available: 1 })],
    };
    const condition = conditionOf(
      rolloutStatus(deployment(progressing('ReplicaSetUpdated')), sets, nowMs),
      'Progressing',
    );
    expect(condition).to.deep.include({ reason: 'ReplicaSetUpdated', lastUpdateTime: now, lastTransitionTime: before });
  });
  it('tells when nothing has moved for too long, and not earlier', () => {
    const sets = {
      newSet: set('web-b', { replicas: 1, available: 0 }),
      oldSets: [set('web-a', { replicas: 2, available: 2 })],
    };
    const late = conditionOf(rolloutStatus(deployment(progressing('ReplicaSetUpdated')), sets, nowMs), 'Progressing');
    expect(late).to.deep.include({ status: 'False', reason: 'ProgressDeadlineExceeded', lastTransitionTime: now });
    expect(late?.message).to.equal('ReplicaSet "web-b" has timed out progressing.');
    const recent = progressing('ReplicaSetUpdated', '2026-01-01T00:51:00Z');
    expect(conditionOf(rolloutStatus(deployment(recent), sets, nowMs), 'Progressing')?.reason).to.equal(
      'ReplicaSetUpdated',
    );
  });
  it("hands on why pods cannot be made, the new set's reason first", () => {
    const sets = {
      newSet: set('web-b', { replicas: 0, available: 0 }, 'exceeded quota'),
      oldSets: [set('web-a', { replicas: 2, available: 2 }, 'old')],
    };
    const failure = conditionOf(rolloutStatus(deployment(), sets, nowMs), 'ReplicaFailure');
    expect(failure).to.deep.include({ status: 'True', reason: 'FailedCreate', message: 'exceeded quota' });
  });
  it('counts availability against what may be missing', () => {
    const sets = { newSet: set('web-b', { replicas: 2, available: 1 }), oldSets: [] };
    expect(conditionOf(rolloutStatus(deployment(), sets, nowMs), 'Available')?.status).to.equal('False');
  });
});
