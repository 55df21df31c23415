import type * as fileSystem from 'node:fs';
import type * as inspector from 'node:inspector';
import type * as perfHooks from 'node:perf_hooks';
import type * as timers from 'node:timers';
import type { Timer } from '@kubechain/apimachinery';
import type { stackText } from './stack-text.ts';
import type { HeldLoop, LoopHost, watchLoop, watchdogSlots } from './watch-loop.ts';

/** What the thread is told. */
export interface WatchdogThreadOptions {
  /** Shared with the main thread, see `watchdogSlots`. */
  readonly shared: Int32Array;
  readonly slots: typeof watchdogSlots;
  /** Milliseconds of work that are told. */
  readonly tellAfterMs: number;
  readonly format: 'text' | 'json';
}

/** Node's modules as a thread gets them that was made of text. */
type Require = (module: string) => unknown;

/** What it is given as text. */
interface WatchdogTools {
  readonly require: Require;
  readonly text: typeof stackText;
  readonly watch: typeof watchLoop;
}

/**
 * The whole program of the thread that watches over the main thread: with its tools it is given to the thread as its
 * own text, because a thread that needs no module loader takes 5 MB instead of 11; so it must not use anything outside
 * of itself but what it is given. Who holds the main thread for too long is killed with the process.
 */
export function watchdogThread(options: WatchdogThreadOptions, { require, text, watch }: WatchdogTools): void {
  const { format, shared, slots } = options;
  const { readFileSync, writeSync } = require('node:fs') as typeof fileSystem;
  const { performance } = require('node:perf_hooks') as typeof perfHooks;
  const { clearInterval, setInterval } = require('node:timers') as typeof timers;

  /** Of the main thread: others may have a processor while that one waits for it. */
  function cpuMs(): number {
    try {
      // Linux calls it as it does the process, and counts in nanoseconds.
      const [ran = 0] = readFileSync('/proc/self/schedstat', 'latin1').split(' ').map(Number);
      if (ran > 0) return ran / 1e6;
    } catch {
      // Other systems tell of the process as a whole.
    }
    const { system, user } = process.cpuUsage();
    return (user + system) / 1_000;
  }

  function debugged(): boolean {
    return Atomics.load(shared, slots.debugged) !== 0;
  }

  // It goes on at once, as nothing can hold this thread.
  function mayInterrupt(): boolean {
    return !debugged();
  }

  function nowMs(): number {
    return performance.now();
  }

  function every(intervalMs: number, look: () => void): Timer {
    const timer = setInterval(look, intervalMs);
    return {
      cancel: () => {
        clearInterval(timer);
      },
    };
  }

  function wentOn({ heldMs, stack }: HeldLoop): void {
    write('W', 'the event loop was held', { heldMs, stack });
  }

  function held(what: HeldLoop): void {
    write('E', 'the event loop is held; ending the process, so that it is started again', { ...what });
    process.kill(process.pid, 'SIGKILL');
  }

  function askForStack(take: (stack: string) => void): void {
    const { Session } = require('node:inspector') as typeof inspector;
    const session = new Session();
    const scripts = new Map<string, string>();
    try {
      session.connectToMainThread();
    } catch {
      return;
    }
    session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) => {
      take(text(params.callFrames, scripts));
      session.post('Debugger.resume', () => {
        session.post('Debugger.disable', () => {
          session.disconnect();
        });
      });
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  }

  /** As Logger writes, but past the main thread, which standard streams of a thread go through. */
  function write(severity: 'W' | 'E', message: string, fields: Readonly<Record<string, string | number>>): void {
    const time = new Date();
    const iso = time.toISOString();
    const head =
      `${severity}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)} ${String(process.pid).padStart(7)} ` +
      `watchdog] ${JSON.stringify(message)}`;
    const line =
      format === 'json'
        ? JSON.stringify({ ts: time.getTime(), logger: 'watchdog', severity, msg: message, ...fields })
        : [head, ...Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(' ');
    try {
      writeSync(2, `${line}\n`);
    } catch {
      // Nobody reads it: the rest is done all the same.
    }
  }

  // The main thread has a beat as long as it lives, and ends the thread when it is at rest.
  const rested = (): void => undefined;
  const loop = { nowMs, every, cpuMs, debugged, mayInterrupt, askForStack };
  watch(options, { ...loop, wentOn, held, rested } satisfies LoopHost);
}
