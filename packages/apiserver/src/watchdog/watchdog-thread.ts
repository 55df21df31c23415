import type * as fileSystem from 'node:fs';
import type * as inspector from 'node:inspector';

/** What the thread is told. Times in milliseconds. */
export interface WatchdogThreadOptions {
  /** Shared with the main thread, see `watchdogSlots`. */
  readonly shared: Int32Array;
  /** Work that is longer is told. */
  readonly tellAfterMs: number;
  /** Work that is longer ends the process; 0 never. */
  readonly endAfterMs: number;
  readonly format: 'text' | 'json';
}

/** Places in the memory that both threads share. */
export const watchdogSlots = { beats: 0, debugged: 1, stalls: 2, stalledMs: 3 } as const;

/** Node's modules as a thread gets them that was made of text. */
type Require = (module: string) => unknown;

/**
 * The thread's whole program. It is given to the thread as its own text, because a thread that needs no module loader
 * takes 5 MB instead of 11; so it must not use anything outside of itself but what it is given.
 *
 * The main thread adds a beat every quarter of a second. While no beat comes:
 *
 *     1 s ─► its stack is asked for, by way of the inspector, which interrupts JavaScript wherever it is
 *     end ─► the process is killed, unless a debugger may hold it, or it was not given the processor meanwhile
 */
export function watchdogThread(options: WatchdogThreadOptions, require: Require): void {
  const { endAfterMs, format, shared, tellAfterMs } = options;
  const { writeSync } = require('node:fs') as typeof fileSystem;
  const tickMs = 250;
  const [beats, debugged, stalls, stalledMs] = [0, 1, 2, 3] as const;
  let seen = Atomics.load(shared, beats);
  let seenAt = performance.now();
  let lastTick = seenAt;
  let cpuAtBeat = process.cpuUsage();
  let told = false;
  let stack = '';

  function tick(): void {
    const now = performance.now();
    const sinceTick = now - lastTick;
    lastTick = now;
    const beat = Atomics.load(shared, beats);
    // A late tick: the whole process, or the machine, stood still. That is no work of the main thread.
    if (beat !== seen || sinceTick > tellAfterMs) {
      if (told && beat !== seen) wentOn(Math.round(now - seenAt));
      seen = beat;
      seenAt = now;
      cpuAtBeat = process.cpuUsage();
      told = false;
      stack = '';
      return;
    }
    const heldMs = Math.round(now - seenAt);
    if (heldMs > tellAfterMs && !told) {
      told = true;
      askForStack();
    }
    if (endAfterMs === 0 || heldMs < endAfterMs || Atomics.load(shared, debugged) !== 0) return;
    const { system, user } = process.cpuUsage(cpuAtBeat);
    const cpuMs = Math.round((user + system) / 1_000);
    if (cpuMs < endAfterMs / 2) return;
    write('E', 'the event loop is held; ending the process, so that it is started again', { heldMs, cpuMs, stack });
    process.kill(process.pid, 'SIGKILL');
  }

  function wentOn(heldMs: number): void {
    Atomics.add(shared, stalls, 1);
    Atomics.add(shared, stalledMs, heldMs);
    write('W', 'the event loop was held', { heldMs, stack });
  }

  function askForStack(): void {
    if (Atomics.load(shared, debugged) !== 0) return;
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
      stack = params.callFrames
        .slice(0, 20)
        .map(({ functionName, location }) => {
          const place = `${scripts.get(location.scriptId) ?? ''}:${location.lineNumber + 1}`;
          return functionName === '' ? place : `${functionName} (${place})`;
        })
        .join(' < ');
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

  setInterval(tick, tickMs);
}
