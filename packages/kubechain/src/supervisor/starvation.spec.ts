import { expect } from 'chai';
import type { ThreadOfProcess } from './process-threads.ts';
import { Starvation } from './starvation.ts';

/** A process of one or more threads, looked at every second. */
class Process {
  readonly #threads = new Map<string, ThreadOfProcess>();
  readonly #starvation = new Starvation({ threads: () => this.#threads, nowMs: () => this.#nowMs });
  #nowMs = 0;

  constructor(...ids: string[]) {
    for (const id of ids) this.#threads.set(id, { ranMs: 500, waitedMs: 100, isRunnable: false });
    this.look();
  }

  /** What a thread has had in the second that comes. */
  gives(id: string, { isRunnable, ranMs = 0, waitedMs = 0 }: Partial<ThreadOfProcess>): this {
    const before = this.#threads.get(id);
    this.#threads.set(id, {
      ranMs: (before?.ranMs ?? 0) + ranMs,
      waitedMs: (before?.waitedMs ?? 0) + waitedMs,
      isRunnable: isRunnable ?? before?.isRunnable ?? false,
    });
    return this;
  }

  look(): number {
    this.#nowMs += 1_000;
    return this.#starvation.look();
  }
}

describe('Starvation', () => {
  it('sees none of a process that is stopped, blocked, or runs all the while', () => {
    const process = new Process('1');
    expect([process.look(), process.look()]).to.deep.equal([0, 0]);
    const running = process.gives('1', { isRunnable: true, ranMs: 1_000 });
    expect([running.look(), running.gives('1', { ranMs: 1_000 }).look()]).to.deep.equal([0, 0]);
  });
  it('sees what a process has waited between its turns', () => {
    const process = new Process('1').gives('1', { isRunnable: true, ranMs: 300, waitedMs: 700 });
    expect(process.look()).to.equal(0.7);
    expect(process.gives('1', { ranMs: 500, waitedMs: 500 }).look()).to.equal(0.5);
  });
  it('sees that one waits which the system counts only once it has run, and counts it once', () => {
    const process = new Process('1').gives('1', { isRunnable: true, ranMs: 1 });
    process.look();
    expect([process.look(), process.look(), process.look()]).to.deep.equal([1, 1, 1]);
    // It was given a processor at the end of the fourth second.
    expect(process.gives('1', { ranMs: 1, waitedMs: 3_999 }).look()).to.equal(0.999);
    expect(process.gives('1', { ranMs: 900, waitedMs: 100 }).look()).to.equal(0.1);
  });
  it('counts the thread that has waited most, as the others wait for it', () => {
    const process = new Process('1', '2');
    expect(process.gives('2', { ranMs: 100, waitedMs: 900, isRunnable: true }).look()).to.equal(0.9);
  });
  it('sees none of a thread that it has not seen before, nor where the system tells nothing', () => {
    const process = new Process('1').gives('3', { isRunnable: true, waitedMs: 90_000 });
    expect(process.look()).to.equal(0);
    const starvation = new Starvation({ threads: () => undefined, nowMs: () => 0 });
    expect([starvation.look(), starvation.look()]).to.deep.equal([0, 0]);
  });
});
