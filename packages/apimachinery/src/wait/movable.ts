/** Entry point `@kubechain/apimachinery/movable-clock`: clocks, and those that tests move, without the rest of the package. */
export { clockMove, machineReading, timeOf } from './clock-reading.ts';
export type { ClockChange, ClockMove, ClockReading } from './clock-reading.ts';
export { clockVariable, followMoves } from './follow-moves.ts';
export type { MovedMessage, MoveMessage } from './follow-moves.ts';
export { monotonicClock, systemClock } from './timer-clock.ts';
export type { Timer, TimerClock } from './timer-clock.ts';
export { MovableClock } from './movable-clock.ts';
