import {
  systemClock,
  clockMove,
  machineReading,
  type ClockChange,
  type ClockMove,
  type ClockReading,
} from '@kubechain/apimachinery/movable-clock';
import type { ClockMover } from '@kubechain/apiserver/options';

/** Knows where the clocks of a chain stand, and has all of them moved: one change after the other. */
export class ClockKeeper implements ClockMover {
  readonly #tell: (move: ClockMove) => Promise<void>;
  #reading: ClockReading;
  #last: Promise<unknown> = Promise.resolve();

  /** @param tell moves the clocks, and resolves when they have been */
  constructor(tell: (move: ClockMove) => Promise<void>, reading: ClockReading = machineReading) {
    this.#tell = tell;
    this.#reading = reading;
  }

  /** For what is started now. */
  get reading(): ClockReading {
    return this.#reading;
  }

  move(change?: ClockChange): Promise<ClockReading> {
    if (change === undefined) return Promise.resolve(this.#reading);
    const moved = this.#last.then(async () => {
      const move = clockMove(this.#reading, change, systemClock.now());
      this.#reading = move.reading;
      await this.#tell(move);
      return move.reading;
    });
    // The next move only waits for this one; who asked for it is told of its failure.
    this.#last = moved.catch(() => undefined);
    return moved;
  }
}
