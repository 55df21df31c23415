import { ObservedAdmission } from './observed-admission.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionOperation, AdmissionPlugin } from './admission.ts';

/** The two passes of admission. */
export type AdmissionPhase = 'admit' | 'validate';

/** Counts how long something took, and whether it refused. */
export interface AdmissionDurations {
  observe(seconds: number, rejected: boolean): void;
}

/** Told how long admission takes; asked for what counts it when the chain is made. */
export interface AdmissionObserver {
  plugin(name: string, phase: AdmissionPhase, operation: AdmissionOperation): AdmissionDurations;
  /** A whole pass. */
  step(phase: AdmissionPhase, operation: AdmissionOperation): AdmissionDurations;
}

const operations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** One plugin of a pass. */
interface PickedPlugin {
  readonly plugin: AdmissionPlugin;
  readonly durations: AdmissionDurations | undefined;
}

/** The plugins of one phase and operation, picked when the chain is made. */
interface Pass {
  readonly plugins: readonly PickedPlugin[];
  readonly durations: AdmissionDurations | undefined;
}

/** The plugins in order; each phase stops at the first that refuses (admission/chain.go). */
export function createAdmissionChain(
  plugins: readonly AdmissionPlugin[],
  observer?: AdmissionObserver,
): AdmissionChain {
  return new PluginChain(plugins, observer);
}

class PluginChain implements AdmissionChain {
  readonly empty: boolean;
  readonly #mutating: ReadonlyMap<AdmissionOperation, Pass>;
  readonly #validating: ReadonlyMap<AdmissionOperation, Pass>;

  constructor(plugins: readonly AdmissionPlugin[], observer: AdmissionObserver | undefined) {
    this.#mutating = pick(plugins, 'admit', observer);
    this.#validating = pick(plugins, 'validate', observer);
    this.empty = operations.every((operation) => !this.handles(operation));
  }

  handles(operation: AdmissionOperation): boolean {
    return this.#mutating.has(operation) || this.#validating.has(operation);
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const pass = this.#mutating.get(attributes.operation);
    return pass === undefined ? undefined : timed(pass, () => this.#admit(pass, attributes));
  }

  /** Once more where a plugin asks for it, because others have to see what it did (admission/reinvocation.go). */
  async #admit(pass: Pass, attributes: AdmissionAttributes): Promise<void> {
    await this.#run(pass, 'admit', attributes);
    const { reinvocation } = attributes;
    if (!reinvocation.asked) return;
    reinvocation.begin();
    await this.#run(pass, 'admit', attributes);
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const pass = this.#validating.get(attributes.operation);
    return pass === undefined ? undefined : timed(pass, () => this.#run(pass, 'validate', attributes));
  }

  async #run({ plugins }: Pass, phase: AdmissionPhase, attributes: AdmissionAttributes): Promise<void> {
    const { observation } = attributes;
    const observed =
      observation === undefined ? undefined : await ObservedAdmission.begin(attributes, observation, phase);
    // One reading of the clock between two plugins.
    let startedAt = performance.now();
    for (const { plugin, durations } of plugins) {
      let rejected = true;
      observed?.enter(plugin.name);
      try {
        const pending = phase === 'admit' ? plugin.admit?.(attributes) : plugin.validate?.(attributes);
        if (pending !== undefined) await pending;
        rejected = false;
        if (observed !== undefined) await observed.passed(plugin.name);
      } finally {
        if (rejected) observed?.refused(plugin.name);
        if (durations !== undefined) {
          const endedAt = performance.now();
          durations.observe((endedAt - startedAt) / 1_000, rejected);
          startedAt = endedAt;
        }
      }
    }
  }
}

async function timed({ durations }: Pass, run: () => Promise<void>): Promise<void> {
  if (durations === undefined) return run();
  const startedAt = performance.now();
  let rejected = true;
  try {
    await run();
    rejected = false;
  } finally {
    durations.observe((performance.now() - startedAt) / 1_000, rejected);
  }
}

function pick(
  plugins: readonly AdmissionPlugin[],
  phase: AdmissionPhase,
  observer: AdmissionObserver | undefined,
): ReadonlyMap<AdmissionOperation, Pass> {
  const picked = new Map<AdmissionOperation, Pass>();
  for (const operation of operations) {
    const handling = plugins.filter((plugin) => plugin[phase] !== undefined && plugin.handles(operation));
    if (handling.length === 0) continue;
    picked.set(operation, {
      plugins: handling.map((plugin) => ({ plugin, durations: observer?.plugin(plugin.name, phase, operation) })),
      durations: observer?.step(phase, operation),
    });
  }
  return picked;
}
