import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { formatMicroTime } from '@kubechain/apimachinery';
import { startChain, type Chain } from './harness/chain.ts';
import { Client, type Answer } from './harness/client.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const candidates = '/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates';
const oldest = 'OldestEmulationVersion';

/** As kube-apiserver 1.36.2 with the same flags does it. */
describe('coordinated leader election', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain({
      flags: [
        '--feature-gates=CoordinatedLeaderElection=true',
        '--runtime-config=coordination.k8s.io/v1beta1=true',
        '--coordinated-leadership-retry-period=1s',
      ],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(() => chain.stop());

  async function nominate(name: string, spec: object): Promise<void> {
    const { status, text } = await client.call('POST', candidates, {
      body: {
        apiVersion: 'coordination.k8s.io/v1beta1',
        kind: 'LeaseCandidate',
        metadata: { name },
        spec: {
          leaseName: 'l',
          strategy: oldest,
          binaryVersion: '1.36.0',
          emulationVersion: '1.36.0',
          renewTime: formatMicroTime(Date.now()),
          ...spec,
        },
      },
    });
    expect(status, text).to.equal(201);
  }

  /** The lease, once there is one; the candidate says that it is there for as long as that takes. */
  async function elected(lease: string, candidate: string): Promise<Answer> {
    for (const deadline = Date.now() + 60_000; ;) {
      await renew(candidate);
      const answer = await client.get(`${leases}/${lease}`);
      if (answer.status === 200 || Date.now() > deadline) return answer;
      await delay(100);
    }
  }

  function renew(candidate: string): Promise<Answer> {
    return client.call('PATCH', `${candidates}/${candidate}`, {
      headers: { 'Content-Type': 'application/merge-patch+json' },
      body: { spec: { renewTime: formatMicroTime(Date.now()) } },
    });
  }

  function spec({ body }: Answer): Record<string, unknown> {
    const { acquireTime: _acquired, renewTime: _renewed, ...rest } = (body?.spec ?? {}) as Record<string, unknown>;
    return rest;
  }

  it('gives a lease to its candidate', async () => {
    await nominate('first', {});
    const given = await elected('l', 'first');
    expect(spec(given)).to.deep.equal({ holderIdentity: 'first', leaseDurationSeconds: 5, strategy: oldest });
    expect(given.body.metadata.managedFields[0].manager).to.equal('kube-apiserver');
  });

  it('asks who has been silent, and elects who answers', async () => {
    await nominate('silent', { leaseName: 's', renewTime: formatMicroTime(Date.now() - 60_000) });
    await client.until(`${candidates}/silent`, ({ body }) => body?.spec?.pingTime !== undefined);
    expect((await client.call('GET', `${leases}/s`)).status).to.equal(404);
    const given = await elected('s', 'silent');
    expect(spec(given)['holderIdentity']).to.equal('silent');
  });

  it('leaves the choice by other strategies to others', async () => {
    await nominate('own', { leaseName: 'x', strategy: 'example.com/own' });
    const made = await elected('x', 'own');
    expect(spec(made)).to.deep.equal({ leaseDurationSeconds: 5, strategy: 'example.com/own' });
  });

  it('keeps strategy and preferred holder of leases, and checks the strategy', async () => {
    const create = (name: string, wanted: object): Promise<Answer> =>
      client.call('POST', leases, { body: { metadata: { name }, spec: wanted } });
    const kept = { strategy: oldest, preferredHolder: 'z' };
    expect(spec(await create('kept', kept))).to.deep.equal(kept);
    expect((await create('bad', { strategy: 'Nope' })).body.message).to.equal(
      'Lease.coordination.k8s.io "bad" is invalid: spec.strategy.strategy: Unsupported value: "Nope": ' +
        'supported values: "OldestEmulationVersion"',
    );
  });

  it('is led by one server', async () => {
    const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/leader-election-controller';
    const { body } = await client.until(lease, ({ status }) => status === 200);
    expect(body.spec.holderIdentity).to.match(/^.+_[0-9a-f-]{36}$/);
  });
});
