import { limits } from '@kubechain/apimachinery';
import { Stepwise, type Steps } from '../../request/stepwise.ts';
import { HeldRules, type Right } from './held-rules.ts';
import type { PolicyRule } from './rbac-objects.ts';

/** What rules grant that others do not. */
export interface Uncovered {
  /** Each with at most one verb, one resource and one name. */
  readonly rules: readonly PolicyRule[];
  /** Whether these are all; not where there are too many to be looked at, or to be told. */
  readonly complete: boolean;
}

/** Rights that are looked at in one step: a millisecond. */
const STEP = 1_000;
/** Rules with more are first tried against one rule each. */
const MANY = 1_000;
/** So many that are missing are told: a megabyte of text. */
const MOST_TOLD = 10_000;

/**
 * What of `wanted` the `held` rules do not grant, broken down to single verbs and resources. Empty = covered.
 * Source: component-helpers/auth/rbac/validation Covers, which breaks down whatever it is given: a thousand verbs,
 * groups and resources are a thousand million rights.
 */
export function* findUncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Steps<Uncovered> {
  const rules: PolicyRule[] = [];
  const known = new HeldRules(held);
  let seen = 0;
  for (const rule of wanted) {
    if (sizeOf(rule) > MANY && known.coversWhole(rule)) continue;
    for (const right of rightsOf(rule)) {
      if (seen++ % STEP === 0) yield;
      if (seen > limits.grantedRights.value || rules.length === MOST_TOLD) return { rules, complete: false };
      if (!known.covers(right)) rules.push(ruleOf(right));
    }
  }
  return { rules, complete: true };
}

/** The same at once, of rules that nobody has sent. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return new Stepwise(findUncovered(held, wanted)).makeNow().rules;
}

/** How many rights a rule has. */
function sizeOf({
  apiGroups = [],
  nonResourceURLs = [],
  resourceNames = [],
  resources = [],
  verbs,
}: PolicyRule): number {
  const ofResources = apiGroups.length * resources.length * Math.max(1, resourceNames.length);
  return verbs.length * (ofResources + nonResourceURLs.length);
}

/** The rights of a rule, one by one: there may be more than fit into memory. */
function* rightsOf(rule: PolicyRule): Generator<Right, void, undefined> {
  const { apiGroups = [], nonResourceURLs = [], resourceNames = [], resources = [], verbs } = rule;
  for (const apiGroup of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        if (resourceNames.length === 0) yield { verb, apiGroup, resource };
        else for (const resourceName of resourceNames) yield { verb, apiGroup, resource, resourceName };
      }
    }
  }
  for (const nonResourceURL of nonResourceURLs) for (const verb of verbs) yield { verb, nonResourceURL };
}

function ruleOf({ apiGroup = '', nonResourceURL, resource = '', resourceName, verb }: Right): PolicyRule {
  if (nonResourceURL !== undefined) return { verbs: [verb], nonResourceURLs: [nonResourceURL] };
  const rule = { verbs: [verb], apiGroups: [apiGroup], resources: [resource] };
  return resourceName === undefined ? rule : { ...rule, resourceNames: [resourceName] };
}
