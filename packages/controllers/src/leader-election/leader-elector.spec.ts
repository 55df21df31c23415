import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { Client } from '../client/client.ts';
import type { Transport, TransportRequest, TransportResponse } from '../client/transport.ts';
import { LeaderElector } from './leader-elector.ts';

/** One Lease, with optimistic concurrency. */
class LeaseServer implements Transport {
  lease: Lease | undefined;
  down = false;
  #version = 0;

  send({ method, body }: TransportRequest): Promise<TransportResponse> {
    if (this.down)
      return Promise.resolve(answer(500, { kind: 'Status', status: 'Failure', code: 500, message: 'down' }));
    if (method === 'GET')
      return Promise.resolve(this.lease === undefined ? failure(404, 'NotFound') : answer(200, this.lease));
    const sent = JSON.parse(body ?? '') as Lease;
    if (method === 'PUT' && sent.metadata?.resourceVersion !== this.lease?.metadata?.resourceVersion)
      return Promise.resolve(failure(409, 'Conflict'));
    this.lease = { ...sent, metadata: { ...sent.metadata, resourceVersion: String(++this.#version) } };
    return Promise.resolve(answer(method === 'POST' ? 201 : 200, this.lease));
  }

  close(): void {
    /* nothing is open */
  }
}

function failure(code: number, reason: string): TransportResponse {
  return answer(code, { kind: 'Status', status: 'Failure', code, reason, message: reason });
}

function answer(status: number, body: unknown): TransportResponse {
  return {
    status,
    headers: {},
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body));
    })(),
  };
}

describe('LeaderElector', () => {
  const setUp = () => {
    const clock = new FakeClock();
    const server = new LeaseServer();
    const client = new Client({ transport: server, userAgent: 'spec', clock });
    const elector = (identity: string): LeaderElector =>
      new LeaderElector({
        client,
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
