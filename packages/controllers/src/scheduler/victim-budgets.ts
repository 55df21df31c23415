import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import type { SelectorIndex } from '../selectors/selector-index.ts';

/** Where budgets are known, by their selectors. */
export interface KnownBudgets {
  readonly selectors: SelectorIndex;
  readonly get: (key: string) => PodDisruptionBudget | undefined;
}

/**
 * Tells, during one search for victims, which pods budgets protect. Each namespace and set of labels is held against
 * the selectors once, however many nodes and pods there are.
 */
export class VictimBudgets {
  readonly #known: KnownBudgets;
  readonly #byLabels = new Map<string, readonly (readonly [key: string, budget: PodDisruptionBudget])[]>();

  constructor(known: KnownBudgets) {
    this.#known = known;
  }

  /** Those of `pods`, which go in this order, that go beyond what some budget allows. */
  protectedOf(pods: readonly Pod[]): ReadonlySet<Pod> {
    const found = new Set<Pod>();
    const left = new Map<string, number>();
    for (const pod of pods) {
      const { name = '' } = pod.metadata ?? {};
      for (const [key, { status }] of this.#of(pod)) {
        // Going already, and counted.
        if (status?.disruptedPods?.[name] !== undefined) continue;
        const allowed = (left.get(key) ?? status?.disruptionsAllowed ?? 0) - 1;
        left.set(key, allowed);
        if (allowed < 0) found.add(pod);
      }
    }
    return found;
  }

  /** What has no labels no budget protects, and here an empty selector matches nothing. */
  #of({ metadata }: Pod): readonly (readonly [key: string, budget: PodDisruptionBudget])[] {
    const { labels = {}, namespace = '' } = metadata ?? {};
    const text = `${namespace}/${JSON.stringify(labels)}`;
    let budgets = this.#byLabels.get(text);
    if (budgets === undefined) this.#byLabels.set(text, (budgets = [...this.#matching(namespace, labels)]));
    return budgets;
  }

  *#matching(
    namespace: string,
    labels: Readonly<Record<string, string>>,
  ): Generator<readonly [key: string, budget: PodDisruptionBudget]> {
    if (Object.keys(labels).length === 0) return;
    for (const [key, selector] of this.#known.selectors.candidates(namespace, labels)) {
      if (selector.empty || !selector.matches(labels)) continue;
      const budget = this.#known.get(key);
      if (budget !== undefined) yield [key, budget];
    }
  }
}
