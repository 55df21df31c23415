interface Step {
  /** Fewer nodes than this go a step back. */
  readonly least: number;
  /** More nodes than this go a step on. */
  readonly most: number;
  readonly seconds: number;
}

/** They overlap, so that a cluster near a bound does not go to and fro (ttlBoundaries, 1.36). */
const steps: readonly Step[] = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1_000, seconds: 30 },
  { least: 900, most: 2_000, seconds: 60 },
  { least: 1_800, most: Number.POSITIVE_INFINITY, seconds: 300 },
];

/** How long kubelets may keep what they have read, by the number of nodes. */
export class SizeSteps {
  #count = 0;
  #step = 0;

  get seconds(): number {
    return steps[this.#step]!.seconds;
  }

  /** A node more, or less. */
  resize(by: 1 | -1): void {
    this.#count += by;
    const { least, most } = steps[this.#step]!;
    if (this.#count > most) this.#step++;
    else if (this.#count < least) this.#step--;
  }
}
