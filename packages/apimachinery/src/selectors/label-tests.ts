import { numberOf, type LabelRequirement } from './requirement.ts';

/** What is asked of one label. */
interface LabelTest {
  /** Whether an object without the label is not selected. */
  readonly required: boolean;
  passes(value: string): boolean;
}

/** Of few values. */
class SingleTest implements LabelTest {
  readonly required: boolean;
  readonly #requirement: LabelRequirement;

  constructor(requirement: LabelRequirement) {
    this.required = isRequired(requirement);
    this.#requirement = requirement;
  }

  passes(value: string): boolean {
    return this.#requirement.passes(value);
  }
}

/** All that a selector asks of one label, in a form that takes the same time however much it is. */
class JoinedTest implements LabelTest {
  readonly required: boolean;
  /** Of these; undefined: any. */
  readonly #allowed: ReadonlySet<string> | undefined;
  readonly #refused: ReadonlySet<string>;
  /** None selects a label that is there. */
  readonly #never: boolean;
  readonly #above: bigint | undefined;
  readonly #below: bigint | undefined;

  constructor(requirements: readonly LabelRequirement[]) {
    let never = false;
    let allowed: ReadonlySet<string> | undefined;
    const refused = new Set<string>();
    let above: bigint | undefined;
    let below: bigint | undefined;
    for (const { number, operator, values } of requirements) {
      switch (operator) {
        case '=':
        case '==':
        case 'in': {
          const own = new Set(operator === 'in' ? values : [values[0] ?? '']);
          allowed = allowed?.intersection(own) ?? own;
          break;
        }
        case '!=':
        case 'notin':
          for (const value of operator === 'notin' ? values : [values[0] ?? '']) refused.add(value);
          break;
        case 'exists':
          break;
        case '!':
          never = true;
          break;
        case 'gt':
          if (number === undefined) never = true;
          else if (above === undefined || number > above) above = number;
          break;
        case 'lt':
          if (number === undefined) never = true;
          else if (below === undefined || number < below) below = number;
          break;
        default:
          operator satisfies never;
      }
    }
    this.required = requirements.some(isRequired);
    this.#never = never;
    this.#allowed = allowed;
    this.#refused = refused;
    this.#above = above;
    this.#below = below;
  }

  passes(value: string): boolean {
    if (this.#never || this.#allowed?.has(value) === false || this.#refused.has(value)) return false;
    if (this.#above === undefined && this.#below === undefined) return true;
    const number = numberOf(value);
    return (
      number !== undefined &&
      (this.#above === undefined || number > this.#above) &&
      (this.#below === undefined || number < this.#below)
    );
  }
}

function isRequired({ operator }: LabelRequirement): boolean {
  return operator !== '!=' && operator !== 'notin' && operator !== '!';
}

/** Values that are compared one by one. */
const fewValues = 16;

/** Names of labels that nobody changes any more, which are held against many selectors. */
const names = new WeakMap<Readonly<Record<string, string>>, readonly string[]>();

function namesOf(labels: Readonly<Record<string, string>>): readonly string[] {
  let known = names.get(labels);
  if (known === undefined) names.set(labels, (known = Object.keys(labels)));
  return known;
}

/**
 * The requirements of a selector by the labels that they are about. An object is held against as many of them as it has
 * labels, or as there are labels that the selector names, whichever is less: thousands of watches may have selectors of
 * thousands of requirements each, and each event is held against all of them.
 */
export class LabelTests {
  readonly #tests: ReadonlyMap<string, LabelTest>;
  readonly #required: number;

  constructor(requirements: readonly LabelRequirement[]) {
    const byKey = new Map<string, LabelRequirement | LabelRequirement[]>();
    for (const requirement of requirements) {
      const known = byKey.get(requirement.key);
      if (known === undefined) byKey.set(requirement.key, requirement);
      else if (Array.isArray(known)) known.push(requirement);
      else byKey.set(requirement.key, [known, requirement]);
    }
    const tests = new Map<string, LabelTest>();
    let required = 0;
    for (const [key, ofKey] of byKey) {
      const test = testOf(ofKey);
      if (test.required) required++;
      tests.set(key, test);
    }
    this.#tests = tests;
    this.#required = required;
  }

  /** As the conjunction of the requirements. Never throws. `unchanging`: the labels are those of a stored record. */
  matches(labels: Readonly<Record<string, string>>, unchanging: boolean): boolean {
    const keys = unchanging ? namesOf(labels) : Object.keys(labels);
    if (keys.length > this.#tests.size) return this.#matchesEach(labels);
    let missing = this.#required;
    for (const key of keys) {
      const test = this.#tests.get(key);
      const value: unknown = labels[key];
      if (test === undefined || typeof value !== 'string') continue;
      if (!test.passes(value)) return false;
      if (test.required) missing--;
    }
    return missing === 0;
  }

  /** The same of an object that has more labels than the selector names. */
  #matchesEach(labels: Readonly<Record<string, string>>): boolean {
    for (const [key, test] of this.#tests) {
      const value: unknown = labels[key];
      if (typeof value === 'string' ? !test.passes(value) : test.required) return false;
    }
    return true;
  }
}

function testOf(requirements: LabelRequirement | LabelRequirement[]): LabelTest {
  if (Array.isArray(requirements)) return new JoinedTest(requirements);
  return requirements.values.length > fewValues ? new JoinedTest([requirements]) : new SingleTest(requirements);
}
