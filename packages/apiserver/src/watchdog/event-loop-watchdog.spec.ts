import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface Ended {
  readonly signal: string | null;
  readonly output: string;
}

/** Runs a program that has a watchdog, in a process of its own: it may be killed. */
function watched(endAfterMs: number, program: string, { atRest = false, before = '' } = {}): Promise<Ended> {
  const source = `
    import { setTimeout as delay } from 'node:timers/promises';
    import { EventLoopWatchdog } from ${JSON.stringify(join(import.meta.dirname, 'event-loop-watchdog.ts'))};
    const watchdog = new EventLoopWatchdog({ endAfterMs: ${endAfterMs}, tellAfterMs: 300, restingBeats: 2 });
    const threads = () => process.report.getReport().workers.length;
    ${before}
    watchdog.start();
    ${atRest ? '' : 'const work = setInterval(() => { watchdog.attend(); }, 100);'}
    function busyFor(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
    setTimeout(async () => { ${program} }, 1_500);`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--input-type=module-typescript', '-e', source],
      { timeout: 60_000 },
      (error, stdout, stderr) => {
        resolve({ signal: error?.signal ?? null, output: stdout + stderr });
      },
    );
  });
}

describe('EventLoopWatchdog', function () {
  this.timeout(90_000);

  it('tells what held the loop, with its stack, and counts it', async () => {
    const { output, signal } = await watched(
      0,
      `busyFor(6_000); setTimeout(() => { console.log('stalls', watchdog.stalls.count); ` +
        'clearInterval(work); void watchdog.stop(); }, 1_500);',
    );
    expect(output).to.match(/watchdog\] "the event loop was held" heldMs=\d{4,} stack="[^"]*busyFor /);
    expect(output).to.include('stalls 1');
    expect(signal).to.equal(null);
  });

  const endless: readonly (readonly [name: string, program: string, stack: string])[] = [
    ['a loop without an end', 'for (;;);', 'setTimeout|:'],
    ['a pattern without an end', `/^(a+)+$/.test('a'.repeat(60) + 'b');`, ':'],
  ];
  for (const [name, program, stack] of endless)
    it(`ends the process that ${name} holds`, async () => {
      const { output, signal } = await watched(2_000, program);
      expect(signal).to.equal('SIGKILL');
      expect(output).to.match(new RegExp(`ending the process, .*heldMs=\\d{4,} .*stack="[^"]*(?:${stack})`));
    });

  it('leaves a process alone that waits', async () => {
    const { output, signal } = await watched(
      1_000,
      `await delay(3_000); clearInterval(work); await watchdog.stop(); console.log('done');`,
    );
    expect([output, signal]).to.deep.equal(['done\n', null]);
  });

  it('ends no process that did not have the processor', async () => {
    // Blocked, not busy: what a stopped machine or a slow disk looks like.
    const { output, signal } = await watched(
      1_000,
      `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
       setTimeout(() => { clearInterval(work); void watchdog.stop(); console.log('went on'); }, 600);`,
    );
    expect(output).to.include('went on');
    expect(signal).to.equal(null);
  });

  (existsSync('/proc/self/schedstat') ? it : it.skip)(
    'ends no process whose main thread did not have the processor, whatever others of it had',
    async () => {
      const { output, signal } = await watched(
        1_000,
        `const { Worker } = process.getBuiltinModule('node:worker_threads');
         const busy = new Worker('for (;;);', { eval: true });
         await delay(1_000);
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8_000);
         await delay(600);
         clearInterval(work);
         await watchdog.stop();
         await busy.terminate();
         console.log('went on');`,
      );
      expect(output).to.include('went on');
      expect(signal).to.equal(null);
    },
  );

  it('leaves a process alone that works where a test has others in the place of timers', async () => {
    const { output, signal } = await watched(
      1_000,
      `for (let i = 0; i < 15; i++) { watchdog.attend(); busyFor(200); await delay(10); }
       await watchdog.stop();
       console.log('went on');`,
      { atRest: true, before: 'globalThis.setInterval = () => ({ ref() {}, unref() {} });' },
    );
    expect(output).to.include('went on');
    expect(signal).to.equal(null);
  });

  it('has no thread at rest, begins one for work, and ends it after that', async () => {
    const { output } = await watched(
      0,
      `const until = async (is) => { while (!is()) await delay(100); };
       await until(() => threads() === 0);
       watchdog.attend();
       await until(() => threads() === 1);
       console.log('began');
       await until(() => threads() === 0);
       console.log('ended');
       await watchdog.stop();`,
      { atRest: true },
    );
    expect(output).to.equal('began\nended\n');
  });

  it('begins a thread for work that nobody told of, when there is enough of it', async () => {
    const { output } = await watched(
      0,
      `const worked = () => process.cpuUsage().user / 1_000;
       while (threads() === 0) { for (const end = worked() + 240; worked() < end; ); await delay(10); }
       console.log('began');
       await watchdog.stop();`,
      { atRest: true },
    );
    // A busy machine may hold the loop besides, which is told then.
    expect(output).to.match(/^began$/m);
  });

  it('ends the process that the first work after a rest holds', async () => {
    const { output, signal } = await watched(2_000, 'watchdog.attend(); for (;;);', { atRest: true });
    expect(signal).to.equal('SIGKILL');
    expect(output).to.match(/ending the process, .*heldMs=\d{4,} .*stack="/);
  });
});
