import type { ClockChange, ClockReading } from '@kubechain/apimachinery/movable-clock';
import type { Launcher } from './ask-launcher.ts';

/** Moves the clocks of all processes of a chain. */
export interface ClockMover {
  /** Resolves when all have been moved, and what that has made due has begun; without a change, to where they stand. */
  move(change?: ClockChange): Promise<ClockReading>;
}

/** Of the one that started a process: all clocks are to be moved. Its answer is a ClockReading. */
export interface ChangeClockQuestion {
  readonly ask: 'change-clock';
  readonly change?: ClockChange;
}

/** Has clocks moved by the one that started this process. */
export function clockMoverOf(launcher: Launcher): ClockMover {
  return {
    move: (change) =>
      launcher.ask<ChangeClockQuestion, ClockReading>(
        { ask: 'change-clock', ...(change === undefined ? {} : { change }) },
        'the clock was not moved',
      ),
  };
}
