import { expect } from 'chai';
import { ask, runTestServer, type RunningTestServer } from '../server/testing/test-server.ts';
import { StorageVersionBarrier } from './storage-version-barrier.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };
const others = [
  { group: '', resource: 'namespaces' },
  { group: 'coordination.k8s.io', resource: 'leases' },
  { group: 'internal.apiserver.k8s.io', resource: 'storageversions' },
];

describe('writes before storage versions are told', () => {
  const barrier = new StorageVersionBarrier([pods, deployments, ...others]);
  let running: RunningTestServer;
  before(async () => {
    running = await runTestServer({
      storageVersions: barrier,
      authenticator: {
        authenticate: ({ headers }) => ({
          user: { name: headers.authorization?.replace('Bearer ', '') ?? '', groups: ['system:masters'] },
        }),
      },
    });
  });
  after(() => running.stop());

  /** Nothing is installed: what is let through gets 404. */
  const answer = async (method: string, path: string, token = 'admin'): Promise<{ status: number; body: string }> => {
    const { body, status } = await ask(running.info.securePort ?? 0, path, { method, token });
    return { status, body };
  };
  const rows: readonly (readonly [method: string, path: string, status: number, user?: string])[] = [
    ['GET', '/api/v1/namespaces/default/pods', 404],
    ['POST', '/api/v1/namespaces/default/pods', 503],
    ['PUT', '/api/v1/namespaces/default/pods/a/status', 503],
    ['PATCH', '/apis/apps/v1/namespaces/default/deployments/a', 503],
    ['DELETE', '/apis/apps/v1/namespaces/default/deployments', 503],
    ['POST', '/apis/example.com/v1/namespaces/default/deployments', 404],
    ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', 404],
    ['POST', '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions', 404],
    ['PUT', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/a', 404],
    ['PUT', '/apis/coordination.k8s.io/v1/namespaces/default/leases/a', 503],
    ['POST', '/api/v1/namespaces', 503],
    ['POST', '/api/v1/namespaces', 404, 'system:apiserver'],
    ['DELETE', '/api/v1/namespaces/a', 503, 'system:apiserver'],
  ];
  for (const [method, path, status, user] of rows)
    it(`get ${status}: ${method} ${path} of ${user ?? 'anybody'}`, async () => {
      expect((await answer(method, path, user)).status).to.equal(status);
    });

  it('are told what went wrong, and pass one after the other', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const waits = 'wait for storage version registration to complete for resource: deployments.apps, last seen error: ';
    expect((await answer('POST', path)).body).to.include(`"${waits}\\u003cnil\\u003e"`);
    barrier.failed([deployments], 'no');
    expect((await answer('POST', path)).body).to.include(`"${waits}no"`);
    barrier.told([deployments]);
    barrier.failed([deployments], 'late');
    expect((await answer('POST', path)).status).to.equal(404);
    expect((await answer('POST', '/api/v1/namespaces/default/pods')).status).to.equal(503);
    barrier.told([pods, ...others]);
    expect(barrier.completed).to.equal(true);
    expect((await answer('POST', '/api/v1/namespaces/default/pods')).status).to.equal(404);
  });
});
