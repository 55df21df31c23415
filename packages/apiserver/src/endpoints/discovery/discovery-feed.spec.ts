import { expect } from 'chai';
import { DiscoveryFeed, type DiscoveryUpdate } from './discovery-feed.ts';
import { DiscoveryManager } from './discovery-manager.ts';

describe('DiscoveryFeed', () => {
  it('tells that those behind the server have told all, behind what they told', async () => {
    const delegated = new DiscoveryManager();
    const feed = new DiscoveryFeed(new DiscoveryManager(), delegated);
    const early: DiscoveryUpdate[] = [];
    feed.subscribe((update) => early.push(update));
    delegated.setGroupVersion({ group: 'x.io', version: 'v1' }, []);
    feed.tellWhole();
    feed.tellWhole();
    await new Promise(setImmediate);
    const set = [{ group: 'x.io', version: 'v1', resources: [] }];
    expect(early).to.deep.equal([
      { complete: true, set: [], removed: [] },
      { set, removed: [] },
      { set: [], removed: [], whole: true },
    ]);
    const late: DiscoveryUpdate[] = [];
    feed.subscribe((update) => late.push(update));
    expect(late).to.deep.equal([{ complete: true, set, removed: [], whole: true }]);
  });
});
