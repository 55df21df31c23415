import { trimEndOf } from '@kubechain/apimachinery';
import type { PolicyRule } from './rbac-objects.ts';

/** One right: a verb on a resource of a group, for one name or all, or a verb on a path. */
export interface Right {
  readonly verb: string;
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly resourceName?: string;
  readonly nonResourceURL?: string;
}

/** Lists up to this length are searched, longer ones are hashed. */
const SHORT = 8;
/** Of the rules that have a right of many, so many are tried for all of them. */
const MOST_TRIED = 16;

interface HeldRule {
  readonly verbs: Values;
  readonly apiGroups: Values;
  readonly resources: Values;
  /** Undefined: of any name. */
  readonly resourceNames: Values | undefined;
  /** Whole ones. */
  readonly paths: Values;
  /** What those begin with that end in a star. */
  readonly prefixes: readonly string[];
}

/** What a rule lists. */
class Values {
  readonly any: boolean;
  readonly #few: readonly string[];
  readonly #many: ReadonlySet<string> | undefined;

  constructor(values: readonly string[]) {
    this.any = values.includes('*');
    this.#few = values;
    this.#many = values.length > SHORT ? new Set(values) : undefined;
  }

  has(value: string): boolean {
    return this.#many === undefined ? this.#few.includes(value) : this.#many.has(value);
  }
}

/** Rules by one thing that they list. */
class RulesBy {
  readonly #any: HeldRule[] = [];
  readonly #of = new Map<string, HeldRule[]>();

  add(rule: HeldRule, values: readonly string[], any: boolean): void {
    if (any) this.#any.push(rule);
    else
      for (const value of new Set(values)) {
        const known = this.#of.get(value);
        if (known === undefined) this.#of.set(value, [rule]);
        else known.push(rule);
      }
  }

  /** Lists of the rules that may be for one of these. */
  for(...values: readonly string[]): readonly (readonly HeldRule[])[] {
    return [this.#any, ...values.map((value) => this.#of.get(value) ?? [])];
  }
}

/**
 * The rules that somebody has, found by what they list: of thousands, few are looked at for each right, whatever is the
 * same in all of them. Source of what covers what: component-helpers/auth/rbac/validation Covers.
 */
export class HeldRules {
  readonly #byVerb = new RulesBy();
  readonly #byGroup = new RulesBy();
  readonly #byResource = new RulesBy();
  readonly #byName = new RulesBy();
  readonly #byPath = new RulesBy();

  constructor(rules: readonly PolicyRule[]) {
    for (const { apiGroups = [], nonResourceURLs = [], resourceNames = [], resources = [], verbs } of rules) {
      const prefixes = nonResourceURLs.filter((url) => url.endsWith('*')).map((url) => trimEndOf(url, '*'));
      const rule: HeldRule = {
        verbs: new Values(verbs),
        apiGroups: new Values(apiGroups),
        resources: new Values(resources),
        resourceNames: resourceNames.length === 0 ? undefined : new Values(resourceNames),
        paths: new Values(nonResourceURLs),
        prefixes,
      };
      this.#byVerb.add(rule, verbs, rule.verbs.any);
      this.#byGroup.add(rule, apiGroups, rule.apiGroups.any);
      this.#byResource.add(rule, resources, rule.resources.any);
      this.#byName.add(rule, resourceNames, rule.resourceNames === undefined);
      this.#byPath.add(rule, nonResourceURLs, prefixes.length > 0);
    }
  }

  /** Whether one of the rules has the right. */
  covers(right: Right): boolean {
    return this.#candidates(right).some((rules) => rules.some((rule) => has(rule, right)));
  }

  /** Whether one rule has all of a rule's rights; false where that is not seen at once. */
  coversWhole({
    apiGroups = [],
    nonResourceURLs = [],
    resourceNames = [],
    resources = [],
    verbs,
  }: PolicyRule): boolean {
    const [verb] = verbs;
    const [apiGroup] = apiGroups;
    const [resource] = resources;
    const [resourceName] = resourceNames;
    if (verb === undefined || apiGroup === undefined || resource === undefined || nonResourceURLs.length > 0)
      return false;
    const first: Right = { verb, apiGroup, resource, ...(resourceName === undefined ? {} : { resourceName }) };
    return this.#candidates(first)
      .flatMap((rules) => rules.slice(0, MOST_TRIED))
      .some(
        (rule) =>
          verbs.every((value) => hasValue(rule.verbs, value)) &&
          apiGroups.every((value) => hasValue(rule.apiGroups, value)) &&
          resources.every((value) => hasResource(rule.resources, value)) &&
          (rule.resourceNames === undefined ||
            (resourceNames.length > 0 && resourceNames.every((value) => rule.resourceNames?.has(value)))),
      );
  }

  /** Rules that may have the right: those by whatever the fewest have. */
  #candidates({ apiGroup = '', nonResourceURL, resource = '', resourceName, verb }: Right): Lists {
    const byVerb = this.#byVerb.for(verb);
    if (nonResourceURL !== undefined) return fewest(byVerb, this.#byPath.for(nonResourceURL));
    const slash = resource.indexOf('/');
    return fewest(
      byVerb,
      this.#byGroup.for(apiGroup),
      this.#byResource.for(resource, ...(slash === -1 ? [] : [`*/${resource.slice(slash + 1)}`])),
      this.#byName.for(...(resourceName === undefined ? [] : [resourceName])),
    );
  }
}

type Lists = readonly (readonly HeldRule[])[];

function fewest(...choices: readonly Lists[]): Lists {
  let best: Lists = [];
  let count = Infinity;
  for (const lists of choices) {
    const size = lists.reduce((sum, { length }) => sum + length, 0);
    if (size < count) [best, count] = [lists, size];
  }
  return best;
}

function has(rule: HeldRule, { apiGroup = '', nonResourceURL, resource = '', resourceName, verb }: Right): boolean {
  if (!hasValue(rule.verbs, verb)) return false;
  if (nonResourceURL !== undefined)
    return (
      rule.resourceNames === undefined &&
      (rule.paths.has(nonResourceURL) || rule.prefixes.some((prefix) => nonResourceURL.startsWith(prefix)))
    );
  return (
    hasValue(rule.apiGroups, apiGroup) &&
    hasResource(rule.resources, resource) &&
    (rule.resourceNames === undefined || (resourceName !== undefined && rule.resourceNames.has(resourceName)))
  );
}

function hasValue(held: Values, value: string): boolean {
  return held.any || held.has(value);
}

function hasResource(held: Values, resource: string): boolean {
  if (hasValue(held, resource)) return true;
  const slash = resource.indexOf('/');
  return slash !== -1 && held.has(`*/${resource.slice(slash + 1)}`);
}
