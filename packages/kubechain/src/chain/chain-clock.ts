import { clockVariable } from '@kubechain/apimachinery/movable-clock';
import type { ClockMove } from '@kubechain/apimachinery/movable-clock';
import { systemClock } from '@kubechain/apimachinery/movable-clock';
import type { ChangeClockMessage, ClockChangedMessage, ClockHeardMessage } from '@kubechain/apiserver/options';
import { messageOf } from '@kubechain/apimachinery/message-of';
import { ClockKeeper } from '../control/clock-keeper.ts';
import { firstReading } from '../control/first-reading.ts';
import type { Child } from '../supervisor/child.ts';
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

  /** Answers a process that asks for a change. */
  readonly heard = (child: Child, message: unknown): void => {
    const { change, id = 0, kind, notAfterMs = 0 } = message as Partial<ChangeClockMessage>;
    // What this process was held for too long to read has been given up.
    if (kind !== 'change-clock' || systemClock.now() > notAfterMs) return;
    child.tell({ kind: 'clock-heard', id } satisfies ClockHeardMessage);
    const answer = (rest: Pick<ClockChangedMessage, 'error' | 'reading'>): void => {
      child.tell({ kind: 'clock-changed', id, ...rest } satisfies ClockChangedMessage);
    };
    this.#keeper.move(change).then(
      (reading) => {
        answer({ reading });
      },
      (error: unknown) => {
        answer({ error: messageOf(error) });
      },
    );
  };
}

async function moveAll(group: ProcessGroup, move: ClockMove): Promise<void> {
  const { members } = group;
  const told = (names: (name: string) => boolean): Promise<unknown> =>
    Promise.all(members.filter(({ name }) => names(name)).map((member) => member.moveClock(move)));
  await told((name) => name === STORE_NAME);
  await told((name) => name !== STORE_NAME && name !== CONTROLLERS_NAME);
  await told((name) => name === CONTROLLERS_NAME);
}
