import { systemClock, type TimerClock } from '@kubechain/apimachinery';
import type { ClockChange, ClockReading } from '@kubechain/apimachinery/movable-clock';

/** Moves the clocks of all processes of a chain. */
export interface ClockMover {
  /** Resolves when all have been moved, and what that has made due has begun; without a change, to where they stand. */
  move(change?: ClockChange): Promise<ClockReading>;
}

/** Sent to the one that started a process: all clocks are to be moved. */
export interface ChangeClockMessage {
  readonly kind: 'change-clock';
  readonly id: number;
  readonly change?: ClockChange;
  /** Machine's time after which nobody waits for it any more: it is left undone when it is read later. */
  readonly notAfterMs: number;
}

/** The change has been read, in time, and is begun. */
export interface ClockHeardMessage {
  readonly kind: 'clock-heard';
  readonly id: number;
}

/** Its answer. */
export interface ClockChangedMessage {
  readonly kind: 'clock-changed';
  readonly id: number;
  readonly reading?: ClockReading;
  /** Why they could not all be moved. */
  readonly error?: string;
}

/** The one that started this process does not read what it is told, so that the clocks stay where they are. */
export class ClockHeldError extends Error {
  override readonly name = 'ClockHeldError';
}

/** How long the one that started this process may be held before a change is given up; less than a client waits. */
const longestHeldMs = 10_000;

/** What of Node's `process` is needed. */
export interface AskingProcess {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send?: ((message: unknown) => unknown) | undefined;
}

interface Waiting extends PromiseWithResolvers<ClockReading> {
  /** Ends the wait for being heard; what is begun may take as long as it takes. */
  readonly heard: () => void;
}

/**
 * Has clocks moved by the one that started this process. A change that is not even read within ten seconds rejects with
 * ClockHeldError and does not happen.
 * @param machine the machine's clock, for real time
 */
export function clockMoverOf(asking: AskingProcess, machine: TimerClock = systemClock): ClockMover {
  const waiting = new Map<number, Waiting>();
  let lastID = 0;
  asking.on('message', (message) => {
    const told = message as Partial<ClockChangedMessage> | Partial<ClockHeardMessage>;
    const asked = waiting.get(told.id ?? 0);
    switch (told.kind) {
      case 'clock-heard':
        asked?.heard();
        return;
      case 'clock-changed':
        waiting.delete(told.id ?? 0);
        asked?.heard();
        if (told.reading === undefined) asked?.reject(new TypeError(told.error));
        else asked?.resolve(told.reading);
        return;
      default:
    }
  });
  return {
    move: (change) => {
      const id = ++lastID;
      const answer = Promise.withResolvers<ClockReading>();
      const timer = machine.setTimer(() => {
        waiting.delete(id);
        answer.reject(
          new ClockHeldError(
            `the clock was not moved: the process that started the chain has not read this for ` +
              `${longestHeldMs / 1_000} s (is it held by a call like execFileSync?)`,
          ),
        );
      }, longestHeldMs);
      waiting.set(id, {
        ...answer,
        heard: () => {
          timer.cancel();
        },
      });
      const notAfterMs = machine.now() + longestHeldMs;
      asking.send?.({
        kind: 'change-clock',
        id,
        notAfterMs,
        ...(change === undefined ? {} : { change }),
      } satisfies ChangeClockMessage);
      return answer.promise;
    },
  };
}
