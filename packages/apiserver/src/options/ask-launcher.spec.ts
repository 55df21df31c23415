import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { machineReading } from '@kubechain/apimachinery/movable-clock';
import { Launcher, LauncherHeldError, type LauncherQuestion } from './ask-launcher.ts';
import { clockMoverOf } from './clock-mover.ts';

/** A process whose parent is played. */
class Asking {
  readonly sent: LauncherQuestion[] = [];
  #listener: (message: unknown) => void = () => undefined;
  on(_event: 'message', listener: (message: unknown) => void): void {
    this.#listener = listener;
  }
  readonly send = (message: unknown): void => {
    this.sent.push(message as LauncherQuestion);
  };
  tell(message: object): void {
    this.#listener(message);
  }
}

describe('what only the parent can do', () => {
  const advance = { kind: 'advance', ms: 5 } as const;
  let asking: Asking;
  let machine: FakeClock;
  let launcher: Launcher;
  beforeEach(() => {
    asking = new Asking();
    machine = new FakeClock();
    launcher = new Launcher(asking, machine);
  });

  it('is given up when the parent does not read, and it is told until when it may', async () => {
    const outcome = clockMoverOf(launcher)
      .move(advance)
      .catch((error: unknown) => error);
    const notAfterMs = machine.now() + 10_000;
    const question = { ask: 'change-clock', change: advance };
    expect(asking.sent).to.deep.equal([{ kind: 'ask-launcher', id: 1, notAfterMs, question }]);
    await machine.advance(10_001);
    expect(await outcome).to.be.instanceOf(LauncherHeldError);
    // Too late: nobody waits for it.
    asking.tell({ kind: 'launcher-answer', id: 1, answer: machineReading });
  });

  it('may take as long as it takes when the parent has heard', async () => {
    const moved = clockMoverOf(launcher).move(advance);
    asking.tell({ kind: 'launcher-heard', id: 1 });
    await machine.advance(60_000);
    asking.tell({ kind: 'launcher-answer', id: 1, answer: machineReading });
    expect(await moved).to.equal(machineReading);
  });

  it('is told apart by its number, and fails with what the parent says', async () => {
    const first = launcher.ask({ ask: 'one' }, 'undone').catch((error: unknown) => error);
    const second = launcher.ask({ ask: 'other' }, 'undone');
    asking.tell({ kind: 'launcher-answer', id: 2, answer: 'done' });
    asking.tell({ kind: 'launcher-answer', id: 1, error: 'no' });
    expect(await second).to.equal('done');
    expect((await first) as Error).to.have.property('message', 'no');
  });
});
