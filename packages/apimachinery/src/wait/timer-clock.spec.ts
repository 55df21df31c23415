import { expect } from 'chai';
import { systemClock } from './timer-clock.ts';

describe('timers', () => {
  it('wait for longer than the platform can, and are cancelled', async () => {
    const fired: string[] = [];
    const timer = systemClock.setTimer(() => fired.push('a year'), 365 * 24 * 3_600_000);
    await new Promise<void>((resolve) => {
      systemClock.setTimer(() => {
        fired.push('soon');
        resolve();
      }, 20);
      // Timers of the clock do not keep the process alive.
      setTimeout(() => undefined, 100);
    });
    timer.cancel();
    expect(fired).to.deep.equal(['soon']);
  });
});
