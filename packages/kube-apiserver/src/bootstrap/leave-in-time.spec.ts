import { expect } from 'chai';
import { leaveInTime } from './leave-in-time.ts';

describe('a server that leaves', () => {
  let due: (() => void)[];
  let cancelled: number;
  const clock = {
    now: () => 0,
    setTimer: (run: () => void) => {
      due.push(run);
      return { cancel: () => cancelled++ };
    },
  };
  beforeEach(() => {
    due = [];
    cancelled = 0;
  });

  it('is waited for, and the timer with it is none any more', async () => {
    await leaveInTime(clock, Promise.resolve());
    expect({ timers: due.length, cancelled }).to.deep.equal({ timers: 1, cancelled: 1 });
  });

  it('is not waited for longer than some seconds', async () => {
    const left = leaveInTime(clock, new Promise(() => undefined));
    for (const run of due) run();
    await left;
  });

  it('has nothing to wait for where it was in no list', async () => {
    await leaveInTime(clock, undefined);
  });
});
