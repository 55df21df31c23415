import type { KubeObject } from '@kubechain/apimachinery';
import type { RequestObservation } from '../request/request-observation.ts';
import type { AdmissionAttributes } from './admission.ts';

/** One phase of admission of a request that somebody looks at: how long each plugin took, and what it changed. */
export class ObservedAdmission {
  readonly #attributes: AdmissionAttributes;
  readonly #observation: RequestObservation;
  readonly #mutates: boolean;
  #startedAt = 0;
  #changesBefore = 0;
  #text: string | undefined;

  private constructor(attributes: AdmissionAttributes, observation: RequestObservation, mutates: boolean) {
    this.#attributes = attributes;
    this.#observation = observation;
    this.#mutates = mutates;
  }

  static async begin(
    attributes: AdmissionAttributes,
    observation: RequestObservation,
    phase: 'admit' | 'validate',
  ): Promise<ObservedAdmission> {
    const observed = new ObservedAdmission(attributes, observation, phase === 'admit');
    if (!observation.deep) return observed;
    observed.#text = await textOf(attributes, attributes.object);
    if (phase === 'validate') observation.after = observed.#text;
    observation.before ??= await textOf(attributes, attributes.oldObject);
    return observed;
  }

  /** The next plugin begins. */
  enter(plugin: string): void {
    this.#startedAt = this.#observation.begin('plugin', plugin);
    this.#changesBefore = this.#observation.changes.length;
  }

  /** It has let the object pass. */
  async passed(plugin: string): Promise<void> {
    this.#observation.add('plugin', plugin, this.#startedAt);
    if (!this.#mutates || this.#text === undefined) return;
    const after = await textOf(this.#attributes, this.#attributes.object);
    // Webhooks and policies tell of their changes one by one.
    if (after !== undefined && this.#observation.changes.length === this.#changesBefore)
      this.#observation.changed(plugin, this.#text, after);
    this.#text = after;
  }

  refused(plugin: string): void {
    this.#observation.add('plugin', plugin, this.#startedAt, 'refused');
  }
}

/** Undefined where there is no object, and for one that cannot be written: that is for the plugins to find. */
async function textOf(
  { kind, objects }: AdmissionAttributes,
  object: KubeObject | undefined,
): Promise<string | undefined> {
  if (object === undefined) return undefined;
  try {
    return await objects.encode(object, kind);
  } catch {
    return undefined;
  }
}
