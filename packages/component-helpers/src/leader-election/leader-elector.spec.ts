import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { conflict, internalError, notFound } from '@kubechain/apimachinery';
import { LeaderElector } from './leader-elector.ts';
import type { Leases } from './leader-elector.ts';

const resource = { group: 'coordination.k8s.io', resource: 'leases' };

/** One Lease, with optimistic concurrency. */
class LeaseServer implements Leases {
  lease: Lease | undefined;
  down = false;
  #version = 0;

  async get(): Promise<Lease> {
    await this.#mustBeUp();
    if (this.lease === undefined) throw notFound(resource, 'kube-controller-manager');
    return this.lease;
  }

  async create(lease: Lease): Promise<Lease> {
    await this.#mustBeUp();
    return this.#store(lease);
  }

  async update(lease: Lease): Promise<Lease> {
    await this.#mustBeUp();
    if (lease.metadata?.resourceVersion !== this.lease?.metadata?.resourceVersion)
      throw conflict(resource, 'kube-controller-manager', 'changed');
    return this.#store(lease);
  }

  #mustBeUp(): Promise<void> {
    return this.down ? Promise.reject(internalError('down')) : Promise.resolve();
  }

  #store(lease: Lease): Lease {
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.#version) } };
    return this.lease;
  }
}

describe('LeaderElector', () => {
  const setUp = () => {
    const clock = new FakeClock();
    const server = new LeaseServer();
    const elector = (identity: string): LeaderElector =>
      new LeaderElector({
        leases: server,
        clock,
        random: () => 0,
        namespace: 'kube-system',
        name: 'kube-controller-manager',
        identity,
        leaseDurationMs: 15_000,
        renewDeadlineMs: 10_000,
        retryPeriodMs: 2000,
      });
    return { clock, server, elector };
  };

  it('takes a lease that nobody has, and renews it', async () => {
    const { clock, server, elector } = setUp();
    const stop = new AbortController();
    const a = elector('a');
    expect(await a.acquire(stop.signal)).to.equal(true);
    expect(server.lease?.spec).to.deep.include({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    const held = a.hold(stop.signal);
    const first = server.lease?.spec?.renewTime;
    await clock.advance(2000);
    expect(server.lease?.spec?.renewTime).to.not.equal(first);
    expect(server.lease?.spec?.acquireTime).to.equal(first);
    stop.abort();
    expect(await held).to.equal('released');
    expect(server.lease?.spec).to.deep.include({ holderIdentity: '', leaseDurationSeconds: 1 });
  });

  it('waits while another holds it, and takes it when it was not renewed for its duration', async () => {
    const { clock, server, elector } = setUp();
    const stop = new AbortController();
    await elector('a').acquire(stop.signal);
    let leads = false;
    const waiting = elector('b')
      .acquire(stop.signal)
      .then((acquired) => (leads = acquired));
    await clock.advance(14_000);
    expect(leads).to.equal(false);
    await clock.advance(4000);
    expect(await waiting).to.equal(true);
    expect(server.lease?.spec).to.deep.include({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('takes over at once what was given back', async () => {
    const { clock, elector } = setUp();
    const first = new AbortController();
    const a = elector('a');
    await a.acquire(first.signal);
    const held = a.hold(first.signal);
    first.abort();
    await held;
    let leads = false;
    void elector('b')
      .acquire(new AbortController().signal)
      .then((acquired) => (leads = acquired));
    await clock.advance(0);
    expect(leads).to.equal(true);
  });

  it('gives up when it cannot renew within the deadline', async () => {
    const { clock, server, elector } = setUp();
    const stop = new AbortController();
    const a = elector('a');
    await a.acquire(stop.signal);
    let outcome = '';
    void a.hold(stop.signal).then((result) => (outcome = result));
    await clock.advance(2000);
    server.down = true;
    await clock.advance(8000);
    expect(outcome).to.equal('');
    await clock.advance(4000);
    expect(outcome).to.equal('lost');
  });
});
