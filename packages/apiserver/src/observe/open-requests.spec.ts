import { expect } from 'chai';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { OpenRequests } from './open-requests.ts';

/** A request that the process got at `startedAt`. */
function requestAt(startedAt: number, { doing = '', verb = 'get' } = {}): ServerRequestContext & { ended: boolean } {
  return {
    auditID: `at-${startedAt}`,
    startedAt,
    ended: false,
    delegate: '',
    request: { method: 'GET', url: '/api/v1/pods', socket: { destroyed: false } },
    requestInfo: { apiGroup: '', name: '', namespace: '', resource: 'pods', subresource: '', verb },
    user: { name: 'me', groups: [] },
    observation: { doing },
  } as unknown as ServerRequestContext & { ended: boolean };
}

describe('requests that a process has', () => {
  let open: OpenRequests;
  const toldAt = (nowMs: number): readonly string[] | undefined =>
    open.take(nowMs)?.requests.map(({ auditID, doing, forMs }) => `${auditID} ${forMs} ${doing}`);
  beforeEach(() => {
    open = new OpenRequests();
  });

  it('are told after a while, with what goes on', () => {
    open.add(requestAt(1_000, { doing: 'webhook a' }));
    expect([toldAt(1_100), toldAt(1_200)]).to.deep.equal([undefined, ['at-1000 200 webhook a']]);
  });

  it('are told to be over once', () => {
    const request = requestAt(0);
    open.add(request);
    open.take(500);
    open.delete(request);
    expect([toldAt(600), toldAt(700)]).to.deep.equal([[], undefined]);
  });

  it('are not watches, which have a view of their own', () => {
    open.add(requestAt(0, { verb: 'watch' }));
    expect(toldAt(9_000)).to.equal(undefined);
  });

  it('are not those that nobody has ended, but whose connection is gone', () => {
    const upgrade = requestAt(0);
    (upgrade.request.socket as { destroyed: boolean }).destroyed = true;
    open.add(upgrade);
    expect(toldAt(9_000)).to.equal(undefined);
  });

  it('are told up to a bound, the oldest first; the rest is counted', () => {
    for (let i = 0; i < 40; i++) open.add(requestAt(i));
    const told = open.take(1_000);
    expect([told?.requests.length, told?.requests[0]?.auditID, told?.more]).to.deep.equal([30, 'at-0', 10]);
  });

  it('are forgotten when nobody listens any more', () => {
    open.add(requestAt(0));
    open.take(500);
    open.clear();
    expect(toldAt(1_000)).to.equal(undefined);
  });
});
