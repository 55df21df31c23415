import { expect } from 'chai';
import type { PeerKind } from '../peers/peer-call.ts';
import { PeerFaultFollowers } from './peer-fault-followers.ts';

const never = new AbortController().signal;

describe('processes that follow faults of their calls', () => {
  let kinds: Set<PeerKind>;
  let followers: PeerFaultFollowers;
  beforeEach(() => {
    kinds = new Set();
    followers = new PeerFaultFollowers(() => kinds, false);
  });
  const set = (kind: PeerKind): void => {
    kinds.add(kind);
    followers.changed();
  };

  it('are told at once what they do not know', async () => {
    set('store');
    expect(await followers.news('one', '', never)).to.deep.equal({ version: '1', peers: ['store'] });
  });

  it('are told of a change when it comes, and of none when their time is over', async () => {
    const news = followers.news('one', '0', never);
    set('webhook');
    expect(await news).to.deep.equal({ version: '1', peers: ['webhook'] });
    expect(await followers.news('one', '1', AbortSignal.timeout(5))).to.deep.equal({
      version: '1',
      peers: ['webhook'],
    });
  });

  it('are waited for until each of them has asked with what it was told', async () => {
    const one = followers.news('one', '0', never);
    const two = followers.news('two', '0', never);
    set('store');
    let isSettled = false;
    const settled = followers.settled().then(() => {
      isSettled = true;
    });
    await Promise.all([one, two]);
    void followers.news('one', '1', AbortSignal.timeout(50));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isSettled).to.equal(false);
    void followers.news('two', '1', AbortSignal.timeout(50));
    await settled;
    expect(isSettled).to.equal(true);
  });

  it('that have gone are not waited for twice', async function () {
    this.timeout(5_000);
    await followers.news('gone', '', never);
    set('store');
    await followers.settled();
    set('webhook');
    const startedAt = performance.now();
    await followers.settled();
    expect(performance.now() - startedAt).to.be.lessThan(500);
  });
});
