import { seededStartMs } from '@kubechain/apimachinery';
import { machineReading, type ClockReading } from '@kubechain/apimachinery/movable-clock';

/** Where the clock of a chain stands when it begins: with a seed always at the same moment, and still. */
export function firstReading(seed: number | undefined, machineMs: number): ClockReading {
  return seed === undefined ? machineReading : { offsetMs: seededStartMs - machineMs, frozenAtMs: seededStartMs };
}

/** From when on certificates have to be valid: what a chain with a seed thinks is past for the machine. */
export function certifiedFromMs(seed: number | undefined, machineMs: number): number {
  return seed === undefined ? machineMs : Math.min(seededStartMs, machineMs);
}
