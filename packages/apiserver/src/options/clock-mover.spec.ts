import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { machineReading } from '@kubechain/apimachinery/movable-clock';
import { ClockHeldError, clockMoverOf, type ChangeClockMessage } from './clock-mover.ts';

/** A process whose parent is played. */
class Asking {
  readonly sent: ChangeClockMessage[] = [];
  #listener: (message: unknown) => void = () => undefined;
  on(_event: 'message', listener: (message: unknown) => void): void {
    this.#listener = listener;
  }
  readonly send = (message: unknown): void => {
    this.sent.push(message as ChangeClockMessage);
  };
  tell(message: object): void {
    this.#listener(message);
  }
}

describe('clocks that the parent moves', () => {
  const advance = { kind: 'advance', ms: 5 } as const;
  let asking: Asking;
  let machine: FakeClock;
  beforeEach(() => {
    asking = new Asking();
    machine = new FakeClock();
  });

  it('are given up when the parent does not read, and it is told until when it may', async () => {
    const outcome = clockMoverOf(asking, machine)
      .move(advance)
      .catch((error: unknown) => error);
    const notAfterMs = machine.now() + 10_000;
    expect(asking.sent).to.deep.equal([{ kind: 'change-clock', id: 1, notAfterMs, change: advance }]);
    await machine.advance(10_001);
    expect(await outcome).to.be.instanceOf(ClockHeldError);
    // Too late: nobody waits for it.
    asking.tell({ kind: 'clock-changed', id: 1, reading: machineReading });
  });

  it('may take as long as it takes when the parent has heard', async () => {
    const moved = clockMoverOf(asking, machine).move(advance);
    asking.tell({ kind: 'clock-heard', id: 1 });
    await machine.advance(60_000);
    asking.tell({ kind: 'clock-changed', id: 1, reading: machineReading });
    expect(await moved).to.equal(machineReading);
  });
});
