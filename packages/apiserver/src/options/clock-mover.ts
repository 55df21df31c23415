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
}

/** Its answer. */
export interface ClockChangedMessage {
  readonly kind: 'clock-changed';
  readonly id: number;
  readonly reading?: ClockReading;
  /** Why they could not all be moved. */
  readonly error?: string;
}

/** What of Node's `process` is needed. */
export interface AskingProcess {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send?: ((message: unknown) => unknown) | undefined;
}

/** Has clocks moved by the one that started this process. */
export function clockMoverOf(asking: AskingProcess): ClockMover {
  const waiting = new Map<number, PromiseWithResolvers<ClockReading>>();
  let lastID = 0;
  asking.on('message', (message) => {
    const { error, id = 0, kind, reading } = message as Partial<ClockChangedMessage>;
    if (kind !== 'clock-changed') return;
    const answered = waiting.get(id);
    waiting.delete(id);
    if (reading === undefined) answered?.reject(new TypeError(error));
    else answered?.resolve(reading);
  });
  return {
    move: (change) => {
      const id = ++lastID;
      const answer = Promise.withResolvers<ClockReading>();
      waiting.set(id, answer);
      asking.send?.({ kind: 'change-clock', id, ...(change === undefined ? {} : { change }) });
      return answer.promise;
    },
  };
}
