import { expect } from 'chai';
import { storeEndAfter, watchdogMemory } from './stall-metrics.ts';
import { watchdogSlots, watchLoop, type HeldLoop } from './watch-loop.ts';

/** A loop that is looked at by a clock of its own, and works all the while. */
class Loop {
  readonly shared = watchdogMemory();
  readonly wentOn: HeldLoop[] = [];
  readonly held: HeldLoop[] = [];
  interruptible = true;
  stackComesLater = false;
  /** Gives the stack that was asked for. */
  giveStack: ((stack: string) => void) | undefined;
  #look: (() => void) | undefined;
  #nowMs = 0;

  constructor(endAfterMs: number) {
    storeEndAfter(this.shared, endAfterMs);
    watchLoop(
      { shared: this.shared, slots: watchdogSlots, tellAfterMs: 1_000 },
      {
        nowMs: () => this.#nowMs,
        every: (_intervalMs, look) => {
          this.#look = look;
          return { cancel: () => (this.#look = undefined) };
        },
        cpuMs: () => this.#nowMs,
        debugged: () => false,
        mayInterrupt: () => this.interruptible,
        askForStack: (take) => {
          if (this.stackComesLater) this.giveStack = take;
          else take('where it was');
        },
        wentOn: (held) => this.wentOn.push(held),
        held: (held) => this.held.push(held),
        rested: () => undefined,
      },
    );
  }

  get looksAt(): boolean {
    return this.#look !== undefined;
  }

  pass(ms: number): void {
    for (const end = this.#nowMs + ms; this.#nowMs < end;) {
      this.#nowMs += 250;
      this.#look?.();
    }
  }

  /** As while whoever looks is held itself. */
  passUnseen(ms: number): void {
    this.#nowMs += ms;
    this.#look?.();
  }

  beat(): void {
    Atomics.add(this.shared, watchdogSlots.beats, 1);
  }
}

describe('watchLoop', () => {
  it('says nothing of a loop that has beats', () => {
    const loop = new Loop(1_000);
    for (let i = 0; i < 20; i++) {
      loop.beat();
      loop.pass(500);
    }
    expect([loop.wentOn, loop.held]).to.deep.equal([[], []]);
  });

  it('tells of one that goes on, with its stack', () => {
    const loop = new Loop(0);
    loop.pass(2_000);
    loop.beat();
    loop.pass(250);
    expect(loop.wentOn).to.deep.equal([{ heldMs: 2_250, cpuMs: 2_250, stack: 'where it was' }]);
    expect(loop.held).to.deep.equal([]);
  });

  it('asks for the stack once it may', () => {
    const loop = new Loop(3_000);
    loop.interruptible = false;
    loop.pass(2_000);
    loop.interruptible = true;
    loop.pass(1_000);
    expect(loop.held).to.deep.equal([{ heldMs: 3_000, cpuMs: 3_000, stack: 'where it was' }]);
  });

  it('waits a moment for a stack that it has asked for, and no longer', () => {
    const loop = new Loop(1_500);
    loop.stackComesLater = true;
    loop.pass(2_000);
    expect(loop.held).to.deep.equal([]);
    loop.giveStack?.('it came');
    loop.pass(250);
    expect(loop.held).to.deep.equal([{ heldMs: 2_250, cpuMs: 2_250, stack: 'it came' }]);
    const silent = new Loop(1_500);
    silent.stackComesLater = true;
    silent.pass(6_000);
    expect(silent.held).to.deep.equal([]);
    silent.pass(500);
    expect(silent.held.map(({ stack }) => stack)).to.deep.equal(['']);
  });

  it('tells once that one is held, also where whoever looks is held meanwhile', () => {
    const loop = new Loop(1_500);
    loop.pass(2_000);
    loop.passUnseen(1_500);
    loop.pass(5_000);
    expect(loop.held).to.have.length(1);
    loop.beat();
    loop.pass(3_000);
    expect(loop.held).to.have.length(2);
  });

  it('tells nobody to end one that may be held for a month, since it was held for a while', () => {
    const loop = new Loop(30 * 24 * 3_600_000);
    loop.pass(60_000);
    expect(loop.held).to.deep.equal([]);
  });

  it('looks no more at one that rests', () => {
    const loop = new Loop(0);
    Atomics.store(loop.shared, watchdogSlots.resting, 1);
    loop.beat();
    loop.pass(250);
    expect(loop.looksAt).to.equal(false);
  });
});
