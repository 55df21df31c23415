import { expect } from 'chai';
import timers from 'node:timers';
import { machineTimers } from './machine-timers.ts';

describe('machineTimers', () => {
  it('go on where a test has others in the place of globals and modules', async () => {
    const real = { global: globalThis.setInterval, module: timers.setInterval };
    const stopped = (() => {
      throw new Error('a timer of the test');
    }) as unknown as typeof setInterval;
    try {
      performance.now = () => 0;
      globalThis.setInterval = stopped;
      timers.setInterval = stopped;
      const keepsAlive = setTimeout(() => undefined, 10_000);
      await new Promise<void>((resolve) => {
        const timer = machineTimers.every(1, () => {
          timer.cancel();
          resolve();
        });
      });
      clearTimeout(keepsAlive);
      expect(machineTimers.nowMs()).to.be.greaterThan(0);
    } finally {
      // Its own is that of the prototype.
      Reflect.deleteProperty(performance, 'now');
      globalThis.setInterval = real.global;
      timers.setInterval = real.module;
    }
  });
});
