import type { LabelRequirement, LabelRequirements, LabelSelector } from '@kubechain/apimachinery';
import { splitKey } from '../informers/object-key.ts';

/** A label of more values than these is not looked up by them. */
const mostValues = 64;

export type Labels = Readonly<Record<string, string>>;

/** Selectors by the keys of the objects that have them. */
type Selectors = Map<string, LabelSelector>;

/** The selectors of one namespace. */
interface Shelf {
  /** By a label, `name=value`, that what they match must have. */
  readonly byLabel: Map<string, Selectors>;
  /** Of those that ask for no label of a certain value. */
  readonly others: Selectors;
}

interface Place {
  readonly selector: LabelSelector;
  /** Under which labels it is; none: it is one of the others. */
  readonly labels: readonly string[];
}

/**
 * Label selectors, by namespace and a label that what they match must have: labels are held against those only that
 * ask for one of them, however many a namespace has. Of the labels that a selector asks for it is under the one that
 * fewest others are under, so that one that all of them ask for does not bring them together. One that asks for many
 * values of a label is not under each.
 *
 *     app=web           ─► app=web
 *     app in (web, api) ─► app=web, app=api
 *     app, tier!=back   ─► the others
 */
export class SelectorIndex {
  readonly #shelves = new Map<string, Shelf>();
  readonly #places = new Map<string, Place>();

  /** Keeps the selector of the object `key` (`namespace/name`); undefined: it has none, or one that is none. */
  set(key: string, selector: LabelSelector | undefined): void {
    if (selector === undefined || !hasRequirements(selector)) {
      this.delete(key);
      return;
    }
    const known = this.#places.get(key);
    if (known !== undefined && known.selector.toString() === selector.toString()) return;
    this.delete(key);
    const { namespace } = splitKey(key);
    let shelf = this.#shelves.get(namespace);
    if (shelf === undefined) this.#shelves.set(namespace, (shelf = { byLabel: new Map(), others: new Map() }));
    const labels = rarest(selector, shelf) ?? [];
    this.#places.set(key, { selector, labels });
    if (labels.length === 0) shelf.others.set(key, selector);
    for (const label of labels) {
      const selectors = shelf.byLabel.get(label);
      if (selectors === undefined) shelf.byLabel.set(label, new Map([[key, selector]]));
      else selectors.set(key, selector);
    }
  }

  delete(key: string): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#places.delete(key);
    const { namespace } = splitKey(key);
    const shelf = this.#shelves.get(namespace)!;
    shelf.others.delete(key);
    for (const label of place.labels) {
      const selectors = shelf.byLabel.get(label);
      selectors?.delete(key);
      if (selectors?.size === 0) shelf.byLabel.delete(label);
    }
    if (shelf.byLabel.size === 0 && shelf.others.size === 0) this.#shelves.delete(namespace);
  }

  /** Selectors of a namespace that may match these labels, and the keys of who has them, each once. */
  *candidates(namespace: string, labels: Labels): Generator<readonly [key: string, selector: LabelSelector]> {
    const shelf = this.#shelves.get(namespace);
    if (shelf === undefined) return;
    yield* shelf.others;
    for (const [name, value] of Object.entries(labels)) yield* shelf.byLabel.get(labelText(name, value)) ?? [];
  }
}

/** Whether anything may match: a selector that is absent has no requirements, and matches nothing. */
function hasRequirements(selector: LabelSelector): selector is LabelRequirements {
  return 'requirements' in selector;
}

/** The values of one label, as `name=value`, that fewest selectors are under. */
function rarest({ requirements }: LabelRequirements, { byLabel }: Shelf): readonly string[] | undefined {
  let found: readonly string[] | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const requirement of requirements) {
    if (!asksForValues(requirement) || requirement.values.length > mostValues) continue;
    const labels = [...new Set(requirement.values)].map((value) => labelText(requirement.key, value));
    const others = labels.reduce((sum, label) => sum + 1 + (byLabel.get(label)?.size ?? 0), 0);
    if (others >= least) continue;
    least = others;
    found = labels;
  }
  return found;
}

function asksForValues({ operator }: LabelRequirement): boolean {
  return operator === '=' || operator === '==' || operator === 'in';
}

function labelText(name: string, value: string): string {
  return `${name}=${value}`;
}
