import { FormatError } from '../errors/format-error.ts';
import { compareText, goQuote } from '../errors/go-format.ts';
import type { LabelOperator } from './requirement.ts';
import { LabelRequirement } from './requirement.ts';
import { LabelTests } from './label-tests.ts';
import { parseLabelRequirements } from './label-parser.ts';
import type { LabelSelector } from './selector.ts';

/** A label selector that tells its requirements; a conjunction, sorted by key. */
export interface LabelRequirements extends LabelSelector {
  readonly requirements: readonly LabelRequirement[];
}

/** Requirements and their values; those of fewer are held against an object one by one. */
const manyConditions = 16;

class Conjunction implements LabelRequirements {
  readonly requirements: readonly LabelRequirement[];
  readonly empty: boolean;
  /** Made at once: an event may be held against hundreds of long selectors that came before it. */
  readonly #tests: LabelTests | undefined;
  #text: string | undefined;

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements;
    this.empty = requirements.length === 0;
    const isLong =
      requirements.length > manyConditions || requirements.some(({ values }) => values.length > manyConditions);
    if (isLong) this.#tests = new LabelTests(requirements);
  }

  matches(labels: Readonly<Record<string, string>> | undefined, unchanging = false): boolean {
    if (this.#tests !== undefined && labels !== undefined) return this.#tests.matches(labels, unchanging);
    for (const requirement of this.requirements) {
      if (!requirement.matches(labels)) return false;
    }
    return true;
  }

  toString(): string {
    return (this.#text ??= this.requirements.join(','));
  }
}

/** Matches everything. */
export const everyLabel: LabelRequirements = new Conjunction([]);

/** Matches nothing: what a missing selector object means. */
export const noLabel: LabelSelector = { empty: false, matches: () => false, toString: () => '' };

/**
 * Parses `a=b,c in (d,e),!f,g>1`.
 * @throws FormatError with upstream's text (labels.Parse)
 */
export function parseLabelSelector(text: string): LabelRequirements {
  if (text === '') return everyLabel;
  return selectorOf(parseLabelRequirements(text));
}

/** A selector of these requirements, sorted by key. */
export function selectorOf(requirements: readonly LabelRequirement[]): LabelRequirements {
  return requirements.length === 0
    ? everyLabel
    : new Conjunction(requirements.toSorted((a, b) => compareText(a.key, b.key)));
}

/** Exactly these labels, unchecked (labels.SelectorFromSet): a ReplicationController's or Service's selector. */
export function selectorFromMap(labels: Readonly<Record<string, string>> | undefined): LabelRequirements {
  return selectorOf(Object.entries(labels ?? {}).map(([key, value]) => new LabelRequirement(key, '=', [value])));
}

/** meta/v1 LabelSelector as it stands in objects. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly values?: readonly string[];
  }[];
}

const objectOperators = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * The selector that an object holds; nothing matches an absent one or null, everything an empty one.
 * @throws FormatError for unknown operators and invalid keys or values
 */
export function selectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === undefined || object === null) return noLabel;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(object.matchLabels ?? {}))
    requirements.push(LabelRequirement.create(key, '=', [value]));
  for (const { key = '', operator = '', values = [] } of object.matchExpressions ?? []) {
    const known = objectOperators.get(operator);
    if (known === undefined) throw new FormatError(`${goQuote(operator)} is not a valid label selector operator`);
    requirements.push(LabelRequirement.create(key, known, values));
  }
  return selectorOf(requirements);
}
