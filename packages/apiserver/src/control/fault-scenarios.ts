import type { Timer, TimerClock } from '@kubechain/apimachinery';
import { atTime } from './at-time.ts';
import type { FaultScenario, ScenarioStep } from './fault-scenario.ts';
import type { FaultSet } from './fault-set.ts';
import { mixed } from './request-draws.ts';

/** A scenario that was begun. */
export interface AppliedScenario {
  /** Names it until it is removed. */
  readonly id: string;
  /** With it the same scenario makes the same choices. */
  readonly seed: number;
  /** Ids of its faults, in the order of its steps. */
  readonly faults: readonly string[];
}

interface Applied extends AppliedScenario {
  readonly timers: Set<Timer>;
}

/** The scenarios that were begun, and their steps that are still to come. */
export class FaultScenarios {
  readonly #clock: TimerClock;
  readonly #faults: FaultSet;
  readonly #expireWatches: () => void;
  readonly #applied = new Map<string, Applied>();
  #lastID = 0;

  constructor(options: { readonly clock: TimerClock; readonly faults: FaultSet; readonly expireWatches: () => void }) {
    this.#clock = options.clock;
    this.#faults = options.faults;
    this.#expireWatches = options.expireWatches;
  }

  /** Its times count from now. */
  apply({ steps }: FaultScenario, seed: number): AppliedScenario {
    const faults: string[] = [];
    const timers = new Set<Timer>();
    const nowMs = this.#clock.now();
    for (const [index, step] of steps.entries())
      if (step.kind === 'fault') faults.push(this.#add(step, mixed(seed, `step ${index}`)));
      else this.#expireAt(nowMs + step.afterMs, timers);
    const applied = { id: String(++this.#lastID), seed, faults, timers };
    this.#applied.set(applied.id, applied);
    return shown(applied);
  }

  list(): readonly AppliedScenario[] {
    return [...this.#applied.values()].map(shown);
  }

  /** Its faults are removed, and what is still to come does not. False when there is none of this id. */
  remove(id: string): boolean {
    const applied = this.#applied.get(id);
    if (applied === undefined) return false;
    this.#applied.delete(id);
    for (const fault of applied.faults) this.#faults.remove(fault);
    for (const timer of applied.timers) timer.cancel();
    return true;
  }

  clear(): void {
    for (const id of this.#applied.keys()) this.remove(id);
  }

  #add({ afterMs, rule }: ScenarioStep & { readonly kind: 'fault' }, seed: number): string {
    const later = afterMs === 0 ? {} : { afterMs };
    return this.#faults.add({ ...rule, seed, ...later }).id;
  }

  #expireAt(atMs: number, timers: Set<Timer>): void {
    const timer = atTime(this.#clock, atMs, this.#expireWatches);
    timers.add(timer);
  }
}

function shown({ faults, id, seed }: Applied): AppliedScenario {
  return { id, seed, faults };
}
