import type { Pause } from '@kubechain/apimachinery';
import { forEachSchema } from '../schema/walk.ts';
import { problemOfPattern } from '../validation/structural.ts';
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
    const patterns = new Set<string>();
    for (const { schema } of whole.spec.versions)
      if (schema?.openAPIV3Schema !== undefined)
        forEachSchema(schema.openAPIV3Schema, ({ pattern = '' }) => void patterns.add(pattern));
    const problems = new Map<string, string | undefined>();
    for (const pattern of patterns) {
      problems.set(pattern, problemOfPattern(pattern));
      const turn = pause();
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
      if (turn !== undefined) await turn;
    }
    this.#condition = nonStructuralCondition(whole, (pattern) =>
      problems.has(pattern) ? problems.get(pattern) : problemOfPattern(pattern),
    );
    this.#whole = undefined;
    return this.#condition;
  }
}
