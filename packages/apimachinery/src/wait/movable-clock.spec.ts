import { expect } from 'chai';
import { FakeClock, settle } from '../testing/fake-clock.ts';
import { clockMove, machineReading, type ClockChange, type ClockReading } from './clock-reading.ts';
import { MovableClock } from './movable-clock.ts';

const hourMs = 3_600_000;

describe('a change of a clock', () => {
  const at = 1_000_000;
  const frozen: ClockReading = { offsetMs: 5, frozenAtMs: 900_000 };
  const rows: readonly (readonly [string, ClockReading, ClockChange, ClockReading, number])[] = [
    ['advances one that runs', { offsetMs: 5 }, { kind: 'advance', ms: 10 }, { offsetMs: 15 }, 10],
    ['advances one that stands', frozen, { kind: 'advance', ms: 10 }, { offsetMs: -99_990, frozenAtMs: 900_010 }, 10],
    ['sets one ahead', machineReading, { kind: 'set', atMs: at + 7 }, { offsetMs: 7 }, 7],
    ['sets one back', machineReading, { kind: 'set', atMs: at - 7 }, { offsetMs: -7 }, 0],
    ['holds one', { offsetMs: 5 }, { kind: 'freeze' }, { offsetMs: 5, frozenAtMs: at + 5 }, 0],
    ['lets one run from where it stands', frozen, { kind: 'resume' }, { offsetMs: -100_000 }, 0],
    ['brings one back to the machine’s time', frozen, { kind: 'reset' }, machineReading, 100_000],
  ];
  for (const [name, reading, change, expected, skippedMs] of rows)
    it(name, () => {
      expect(clockMove(reading, change, at)).to.deep.equal({ reading: expected, skippedMs });
    });
});

describe('MovableClock', () => {
  let machine: FakeClock;
  let clock: MovableClock;
  let fired: string[];
  const timer = (name: string, delayMs: number): { cancel(): void } =>
    clock.setTimer(() => fired.push(`${name} ${clock.now() - 1_700_000_000_000}`), delayMs);
  let reading: ClockReading;
  const change = (what: ClockChange): Promise<void> => {
    const move = clockMove(reading, what, machine.now());
    ({ reading } = move);
    return clock.move(move);
  };
  beforeEach(() => {
    machine = new FakeClock();
    reading = machineReading;
    clock = new MovableClock(reading, { wall: machine, elapsed: machine });
    fired = [];
  });

  it('runs with the machine’s clock, and so do its timers', async () => {
    timer('a', 100);
    await machine.advance(99);
    expect(fired).to.deep.equal([]);
    await machine.advance(1);
    expect(fired).to.deep.equal(['a 100']);
    expect(clock.now()).to.equal(machine.now());
  });

  it('fires what is due when it is moved ahead, in order and once, and the rest that much earlier', async () => {
    timer('late', 2 * hourMs);
    timer('second', 20);
    timer('first', 10);
    timer('cancelled', 15).cancel();
    await change({ kind: 'advance', ms: hourMs });
    expect(fired).to.deep.equal([`first ${hourMs}`, `second ${hourMs}`]);
    await machine.advance(hourMs - 1);
    expect(fired).to.have.lengthOf(2);
    await machine.advance(1);
    expect(fired.slice(2)).to.deep.equal([`late ${2 * hourMs}`]);
    expect(machine.timers).to.equal(0);
  });

  it('does not fire what an earlier one has cancelled', async () => {
    const second = timer('second', 20);
    clock.setTimer(() => {
      second.cancel();
    }, 10);
    await change({ kind: 'advance', ms: hourMs });
    expect(fired).to.deep.equal([]);
  });

  it('lets those go first who asked for it', async () => {
    const stop = new AbortController();
    const gate = Promise.withResolvers<void>();
    clock.onMoved(() => gate.promise, stop.signal);
    timer('a', 10);
    const moved = change({ kind: 'advance', ms: 20 });
    await settle();
    expect([fired, clock.now()]).to.deep.equal([[], machine.now() + 20]);
    gate.resolve();
    await moved;
    expect(fired).to.deep.equal(['a 20']);
    stop.abort();
    clock.onMoved(() => Promise.reject(new Error('theirs')), new AbortController().signal);
    timer('b', 10);
    await change({ kind: 'advance', ms: 20 });
    expect(fired[1]).to.equal('b 40');
  });

  it('stands still while timers go on', async () => {
    await change({ kind: 'freeze' });
    timer('a', 100);
    await machine.advance(1_000);
    expect(fired).to.deep.equal(['a 0']);
    await change({ kind: 'advance', ms: 50 });
    expect(clock.now() - 1_700_000_000_000).to.equal(50);
    await change({ kind: 'resume' });
    await machine.advance(1);
    expect(clock.now() - 1_700_000_000_000).to.equal(51);
  });

  it('is set back without putting timers off', async () => {
    timer('a', 100);
    await change({ kind: 'set', atMs: machine.now() - hourMs });
    await machine.advance(100);
    expect(fired).to.deep.equal([`a ${100 - hourMs}`]);
  });
});
