import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { ProbePatience } from './probe-patience.ts';

describe('ProbePatience', () => {
  it('ends after its time without a sign of life', async () => {
    const clock = new FakeClock();
    const { signal } = new ProbePatience(2_000, () => 0, clock);
    await clock.advance(1_900);
    expect(signal.aborted).to.equal(false);
    await clock.advance(100);
    expect(signal.aborted).to.equal(true);
  });

  it('begins anew with each sign of life', async () => {
    const clock = new FakeClock();
    let signs = 0;
    const { signal } = new ProbePatience(2_000, () => signs, clock);
    for (; signs < 5; signs++) await clock.advance(1_500);
    expect(signal.aborted).to.equal(false);
    await clock.advance(2_100);
    expect(signal.aborted).to.equal(true);
  });

  it('counts one look of a time in which this process did not run', async () => {
    let late: (() => void) | undefined;
    const stopped = {
      now: () => 0,
      setTimer: (callback: () => void) => {
        late = callback;
        return { cancel: () => undefined };
      },
    };
    const { signal } = new ProbePatience(2_000, () => 0, stopped);
    for (let looks = 0; looks < 19; looks++) late?.();
    await settle();
    expect(signal.aborted).to.equal(false);
    late?.();
    await settle();
    expect(signal.aborted).to.equal(true);
  });

  it('is over when the probe is', async () => {
    const clock = new FakeClock();
    const patience = new ProbePatience(2_000, () => 0, clock);
    patience.end();
    await clock.advance(5_000);
    expect(patience.signal.aborted).to.equal(false);
  });
});
