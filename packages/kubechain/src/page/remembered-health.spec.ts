import { expect } from 'chai';
import type { ProcessHealth } from './feed-messages.ts';
import { RememberedHealth } from './remembered-health.ts';

describe('RememberedHealth', () => {
  it('asks who is ready every six seconds, and who is not every second', async () => {
    let nowMs = 0;
    let asked = 0;
    let kind: ProcessHealth['kind'] = 'ready';
    const healths = new RememberedHealth(
      async () => {
        asked++;
        return { kind, problems: [], checks: 1 };
      },
      () => nowMs,
    );
    expect((await healths.of('a')).kind).to.equal('ready');
    kind = 'failing';
    nowMs = 5_999;
    expect((await healths.of('a')).kind).to.equal('ready');
    nowMs = 6_000;
    expect((await healths.of('a')).kind).to.equal('failing');
    nowMs = 7_000;
    kind = 'ready';
    expect((await healths.of('a')).kind).to.equal('ready');
    expect(asked).to.equal(3);
  });
});
