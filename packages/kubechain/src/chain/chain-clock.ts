import { clockVariable, systemClock } from '@kubechain/apimachinery/movable-clock';
import type { ClockChange, ClockMove, ClockReading } from '@kubechain/apimachinery/movable-clock';
import { ClockKeeper } from '../control/clock-keeper.ts';
import { firstReading } from '../control/first-reading.ts';
import type { ProcessGroup } from '../supervisor/process-group.ts';
import { CONTROLLERS_NAME } from './server-process.ts';
import { STORE_NAME } from './chain-plan.ts';

/**
 * The clock of a chain of processes: each is told over IPC. The store is first, so that what has expired is gone; the
 * controllers are last, so that what they do meets servers of the same time.
 */
export class ChainClock {
  readonly #keeper: ClockKeeper;

  constructor(group: ProcessGroup, seed?: number) {
    this.#keeper = new ClockKeeper((move) => moveAll(group, move), firstReading(seed, systemClock.now()));
  }

  /** For a process that is started now: that its clock is moved, and where it stands. */
  readonly environment = (): Readonly<Record<string, string>> => ({
    [clockVariable]: JSON.stringify(this.#keeper.reading),
  });

  /** Resolves when all have been moved. */
  move(change?: ClockChange): Promise<ClockReading> {
    return this.#keeper.move(change);
  }
}

async function moveAll(group: ProcessGroup, move: ClockMove): Promise<void> {
  const { members } = group;
  const told = (names: (name: string) => boolean): Promise<unknown> =>
    Promise.all(members.filter(({ name }) => names(name)).map((member) => member.moveClock(move)));
  await told((name) => name === STORE_NAME);
  await told((name) => name !== STORE_NAME && name !== CONTROLLERS_NAME);
  await told((name) => name === CONTROLLERS_NAME);
}
