import { expect } from 'chai';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { WorkBegins } from './thread-beats.ts';
import { ThreadWatchdog, type ThreadWatchdogOptions } from './thread-watchdog.ts';
import { watchdogSlots, type HeldLoop } from './watch-loop.ts';

/** As of a thread that has the processor all the while, which on a busy machine none has. */
const allTheWhile = (): number => performance.now();

/** What became of a thread that is watched over from this one. */
class Watched {
  readonly wentOn: HeldLoop[] = [];
  readonly held: HeldLoop[] = [];
  /** What it has said, `work` each time that it began. */
  readonly said: string[] = [];
  readonly worker: Worker;
  readonly #watchdog: ThreadWatchdog;
  #shared: Int32Array | undefined;

  constructor(endAfterMs: number, program: string, options: Partial<ThreadWatchdogOptions> = {}) {
    const source = `
      const { parentPort } = require('node:worker_threads');
      const { setTimeout: delay } = require('node:timers/promises');
      void import(${JSON.stringify(join(import.meta.dirname, 'thread-beats.ts'))}).then(async ({ ThreadBeats }) => {
        let shared;
        const tell = (message) => { ({ shared } = message); parentPort.postMessage(message); };
        const all = new ThreadBeats({ tell, restingBeats: 4 });
        const beats = all.forCluster(${endAfterMs});
        const stalls = () => parentPort.postMessage({ kind: 'stalls ' + all.stalls.count });
        const rested = async () => { while (Atomics.load(shared, ${watchdogSlots.resting}) === 0) await delay(50); };
        async function again(work) { for (;;) { beats.attend(); work(); await delay(600); } }
        function busyFor(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
        beats.start();
        ${program}
      });`;
    this.worker = new Worker(source, { eval: true, execArgv: [] });
    this.#watchdog = new ThreadWatchdog({
      worker: this.worker,
      tellAfterMs: 400,
      mayInterrupt: () => true,
      onWentOn: (held) => this.wentOn.push(held),
      onHeld: (held) => this.held.push(held),
      ...options,
    });
    this.worker.on('message', (message: WorkBegins | { readonly kind: string }) => {
      this.said.push(message.kind);
      if (!('shared' in message)) return;
      this.#shared = message.shared;
      this.#watchdog.work(message);
    });
  }

  get beats(): number {
    return this.#shared === undefined ? 0 : Atomics.load(this.#shared, watchdogSlots.beats);
  }

  /** Waits for what a busy machine does later, or at the second try. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await delay(50);
  }

  async close(): Promise<void> {
    this.#watchdog.stop();
    await this.worker.terminate();
  }
}

describe('ThreadWatchdog', function () {
  this.timeout(90_000);
  let watched: Watched;
  afterEach(() => watched.close());

  it('tells what held the loop of the thread, with its stack, and counts it', async () => {
    const program = 'void again(() => busyFor(2_000)); setInterval(stalls, 300);';
    watched = new Watched(0, program, { cpuMs: allTheWhile });
    await watched.until(() => watched.wentOn.some(({ stack }) => stack.includes('busyFor (')));
    expect(watched.wentOn[0]?.heldMs).to.be.greaterThan(400);
    await watched.until(() => watched.said.includes(`stalls ${watched.wentOn.length}`));
    expect(watched.held).to.deep.equal([]);
  });

  const endless: readonly (readonly [name: string, program: string])[] = [
    ['a loop without an end', 'function spin() { for (;;); } spin();'],
    ['a pattern without an end', `function spin() { /^(a+)+$/.test('a'.repeat(60) + 'b'); } spin();`],
  ];
  for (const [name, program] of endless)
    it(`tells of ${name}, once, which can be ended`, async () => {
      watched = new Watched(1_500, `beats.attend(); ${program}`, { cpuMs: allTheWhile });
      await watched.until(() => watched.held.length > 0);
      await delay(1_000);
      expect(watched.held.map(({ stack }) => stack.split(' ')[0])).to.deep.equal(['spin']);
      await watched.worker.terminate();
      expect(watched.wentOn).to.deep.equal([]);
    });

  it('says nothing of a thread that waits, which has beats', async () => {
    watched = new Watched(60_000, 'setInterval(() => beats.attend(), 100); beats.attend();', { tellAfterMs: 60_000 });
    await watched.until(() => watched.beats >= 5);
    expect([watched.held, watched.wentOn, watched.said]).to.deep.equal([[], [], ['work']]);
  });

  const leftAlone: readonly (readonly [name: string, options: Partial<ThreadWatchdogOptions>])[] = [
    ['that nobody may interrupt', { mayInterrupt: () => false }],
    ['that waits for a processor', { cpuMs: () => 0 }],
  ];
  for (const [name, options] of leftAlone)
    it(`tells of a thread ${name} without a stack`, async () => {
      watched = new Watched(0, 'void again(() => busyFor(2_000));', { cpuMs: allTheWhile, ...options });
      await watched.until(() => watched.wentOn.length === 2);
      expect(watched.wentOn.map(({ stack }) => stack)).to.deep.equal(['', '']);
    });

  it('does not want a thread to be ended that did not have the processor', async () => {
    watched = new Watched(
      1_000,
      'beats.attend(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000); await delay(600);',
    );
    await once(watched.worker, 'exit');
    expect(watched.held).to.deep.equal([]);
  });

  (existsSync('/proc/self/schedstat') ? it : it.skip)(
    'does not want a thread to be ended that did not have the processor, whatever others of the process had',
    async () => {
      const busy = new Worker('for (;;);', { eval: true });
      watched = new Watched(
        1_000,
        'beats.attend(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8_000); await delay(600);',
      );
      await once(watched.worker, 'exit');
      await busy.terminate();
      expect(watched.held).to.deep.equal([]);
    },
  );

  it('looks at a thread that works again after a rest', async () => {
    watched = new Watched(
      0,
      `for (let i = 0; i < 2; i++) { beats.attend(); beats.attend(); await rested(); }
       void again(() => busyFor(2_000));`,
      { cpuMs: allTheWhile },
    );
    await watched.until(() => watched.wentOn.some(({ stack }) => stack.includes('busyFor')));
    expect(watched.said).to.deep.equal(['work', 'work', 'work']);
  });
});
