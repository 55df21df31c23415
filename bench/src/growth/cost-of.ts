import { setTimeout as delay } from 'node:timers/promises';
import type { Contender } from '../compare/contender.ts';

/** What work took: milliseconds, and milliseconds of processor time of all of a contender's processes. */
export interface WorkCost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * A process that has come to rest gives back what it does not need: after six seconds, where it gets the processor when
 * it wants to, and each for itself.
 */
const rest = { leastMs: 6_000, lookMs: 2_000, looks: 4 };

export async function costOf(contender: Contender, work: () => Promise<unknown>): Promise<WorkCost> {
  const before = cpuMs(contender);
  const startedMs = performance.now();
  await work();
  return { wallMs: performance.now() - startedMs, cpuMs: cpuMs(contender) - before };
}

/** Memory (PSS) of all processes at rest, in KB: the least of some looks. */
export async function restedKB(contender: Contender): Promise<number> {
  await delay(rest.leastMs);
  let least = kilobytesOf(contender);
  for (let look = 0; look < rest.looks; look++) {
    await delay(rest.lookMs);
    least = Math.min(least, kilobytesOf(contender));
  }
  return least;
}

function kilobytesOf(contender: Contender): number {
  return [...contender.memory().values()].reduce((sum, bytes) => sum + bytes, 0) / 1e3;
}

/** What each thing holds: what has come since the smallest size, whose memory a start has left its garbage in. */
export class MemoryOfEach {
  readonly #contender: () => Contender;
  #first: { readonly size: number; readonly kilobytes: number } | undefined;

  constructor(contender: () => Contender) {
    this.#contender = contender;
  }

  /** As a figure `KB a …`; none for the smallest size. */
  async figure(name: string, size: number): Promise<Record<string, number>> {
    const kilobytes = await restedKB(this.#contender());
    if (this.#first === undefined) {
      this.#first = { size, kilobytes };
      return {};
    }
    return { [name]: (kilobytes - this.#first.kilobytes) / (size - this.#first.size) };
  }
}

const cpuMs = (contender: Contender): number =>
  [...contender.usage().values()].reduce((sum, usage) => sum + usage.cpuMs, 0);
