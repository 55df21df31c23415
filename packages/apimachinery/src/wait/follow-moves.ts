import type { ClockMove, ClockReading } from './clock-reading.ts';
import { MovableClock } from './movable-clock.ts';

/** The variable by which a process is told that its clock can be moved, and where it stands: a ClockReading as JSON. */
export const clockVariable = 'KUBECHAIN_CLOCK';

/** Sent to a process: its clock is to be moved. */
export interface MoveMessage {
  readonly kind: 'move-clock';
  readonly id: number;
  readonly move: ClockMove;
}

/** Sent by a process: it has been. */
export interface MovedMessage {
  readonly kind: 'clock-moved';
  readonly id: number;
}

/** What of Node's `process` is needed. */
export interface ToldProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send?: ((message: unknown) => unknown) | undefined;
}

/** The clock of a process that is told over IPC how to move it; undefined where nobody will. */
export function followMoves(told: ToldProcess): MovableClock | undefined {
  const text = told.env[clockVariable];
  if (text === undefined) return undefined;
  const clock = new MovableClock(JSON.parse(text) as ClockReading);
  told.on('message', (message) => {
    const { id, kind, move } = message as Partial<MoveMessage>;
    if (kind !== 'move-clock' || move === undefined) return;
    void clock.move(move).then(() => told.send?.({ kind: 'clock-moved', id }));
  });
  return clock;
}
