import type { Pause } from '@kubechain/apimachinery';
import { problemsOfPatterns } from '../validation/pattern-problems.ts';
import type { CRDCondition, CustomResourceDefinition } from '../definition/crd-types.ts';
import { nonStructuralCondition } from './non-structural-schema.ts';

/**
 * Whether the schemas of one generation of a CRD are structural; found out when it is asked for, since nobody waits for
 * that.
 */
export class CRDStructure {
  readonly generation: string;
  /** The condition has been written: as in the reference, what a user makes of it then stays. */
  written = false;
  #whole: (() => CustomResourceDefinition) | undefined;
  #condition: Omit<CRDCondition, 'lastTransitionTime'> | undefined;

  /** `whole` reads this generation; it is called once. */
  constructor(generation: string, whole: () => CustomResourceDefinition) {
    this.generation = generation;
    this.#whole = whole;
  }

  /**
   * What is wrong with them; undefined when nothing is. Patterns, of which a definition may have tens of thousands, are
   * compiled with pauses.
   */
  async condition(pause: Pause): Promise<Omit<CRDCondition, 'lastTransitionTime'> | undefined> {
    const whole = this.#whole?.();
    if (whole === undefined) return this.#condition;
    const schemas = whole.spec.versions.map(({ schema }) => schema?.openAPIV3Schema);
    this.#condition = nonStructuralCondition(whole, await problemsOfPatterns(schemas, pause));
    this.#whole = undefined;
    return this.#condition;
  }
}
