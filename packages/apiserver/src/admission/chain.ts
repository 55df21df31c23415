import { ObservedAdmission } from './observed-admission.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionOperation, AdmissionPlugin } from './admission.ts';

/** Told how long each plugin took: `apiserver_admission_controller_admission_duration_seconds`. */
export interface AdmissionObserver {
  observe(
    plugin: string,
    phase: 'admit' | 'validate',
    attributes: AdmissionAttributes,
    result: { readonly seconds: number; readonly rejected: boolean },
  ): void;
}

const operations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Plugins of one phase and operation, picked when the chain is made. */
type Picked = ReadonlyMap<AdmissionOperation, readonly AdmissionPlugin[]>;

/** The plugins in order; each phase stops at the first that refuses (admission/chain.go). */
export function createAdmissionChain(
  plugins: readonly AdmissionPlugin[],
  observer?: AdmissionObserver,
): AdmissionChain {
  return new PluginChain(plugins, observer);
}

class PluginChain implements AdmissionChain {
  readonly empty: boolean;
  readonly #mutating: Picked;
  readonly #validating: Picked;
  readonly #observer: AdmissionObserver | undefined;

  constructor(plugins: readonly AdmissionPlugin[], observer: AdmissionObserver | undefined) {
    this.#mutating = pick(plugins.filter((plugin) => plugin.admit !== undefined));
    this.#validating = pick(plugins.filter((plugin) => plugin.validate !== undefined));
    this.#observer = observer;
    this.empty = operations.every((operation) => !this.handles(operation));
  }

  handles(operation: AdmissionOperation): boolean {
    return this.#mutating.has(operation) || this.#validating.has(operation);
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const plugins = this.#mutating.get(attributes.operation);
    return plugins === undefined ? undefined : this.#admit(plugins, attributes);
  }

  /** Once more where a plugin asks for it, because others have to see what it did (admission/reinvocation.go). */
  async #admit(plugins: readonly AdmissionPlugin[], attributes: AdmissionAttributes): Promise<void> {
    await this.#run(plugins, 'admit', attributes);
    const { reinvocation } = attributes;
    if (!reinvocation.asked) return;
    reinvocation.begin();
    await this.#run(plugins, 'admit', attributes);
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const plugins = this.#validating.get(attributes.operation);
    return plugins === undefined ? undefined : this.#run(plugins, 'validate', attributes);
  }

  async #run(
    plugins: readonly AdmissionPlugin[],
    phase: 'admit' | 'validate',
    attributes: AdmissionAttributes,
  ): Promise<void> {
    const { observation } = attributes;
    const observed =
      observation === undefined ? undefined : await ObservedAdmission.begin(attributes, observation, phase);
    let startedAt = this.#observer === undefined ? 0 : performance.now();
    for (const plugin of plugins) {
      let rejected = true;
      observed?.enter(plugin.name);
      try {
        const pending = phase === 'admit' ? plugin.admit?.(attributes) : plugin.validate?.(attributes);
        if (pending !== undefined) await pending;
        rejected = false;
        if (observed !== undefined) await observed.passed(plugin.name);
      } finally {
        if (rejected) observed?.refused(plugin.name);
        if (this.#observer !== undefined) {
          const endedAt = performance.now();
          this.#observer.observe(plugin.name, phase, attributes, { seconds: (endedAt - startedAt) / 1000, rejected });
          startedAt = endedAt;
        }
      }
    }
  }
}

function pick(plugins: readonly AdmissionPlugin[]): Picked {
  const picked = new Map<AdmissionOperation, readonly AdmissionPlugin[]>();
  for (const operation of operations) {
    const handling = plugins.filter((plugin) => plugin.handles(operation));
    if (handling.length > 0) picked.set(operation, handling);
  }
  return picked;
}
