import { limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import fc from 'fast-check';
import { Stepwise } from '../../request/stepwise.ts';
import type { PolicyRule } from './rbac-objects.ts';
import { findUncovered, type Uncovered } from './rule-covers.ts';

const listOf = (...values: readonly string[]): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom(...values), { maxLength: 3 });
const ruleArbitrary: fc.Arbitrary<PolicyRule> = fc.record({
  verbs: listOf('get', 'list', '*'),
  apiGroups: listOf('', 'apps', '*'),
  resources: listOf('pods', 'pods/log', '*/log', '*'),
  resourceNames: fc.oneof(fc.constant([]), listOf('a', 'b')),
  nonResourceURLs: listOf('/a', '/a/b', '/a/*', '/*', '*'),
});
const numbered = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const found = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Uncovered =>
  new Stepwise(findUncovered(held, wanted)).makeNow();

/** Compares each right with each rule. */
function compared(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const any = (list: readonly string[] = [], value: string): boolean => list.includes('*') || list.includes(value);
  const ofResource = (list: readonly string[] = [], value: string): boolean =>
    any(list, value) || (value.includes('/') && list.includes(`*/${value.split('/')[1]!}`));
  const missing: PolicyRule[] = [];
  for (const { apiGroups = [], nonResourceURLs = [], resourceNames = [], resources = [], verbs } of wanted) {
    for (const apiGroup of apiGroups)
      for (const resource of resources)
        for (const verb of verbs)
          for (const name of resourceNames.length === 0 ? [undefined] : resourceNames) {
            const covered = held.some(
              (rule) =>
                any(rule.verbs, verb) &&
                any(rule.apiGroups, apiGroup) &&
                ofResource(rule.resources, resource) &&
                ((rule.resourceNames ?? []).length === 0 || (name !== undefined && rule.resourceNames!.includes(name))),
            );
            const rule = { verbs: [verb], apiGroups: [apiGroup], resources: [resource] };
            if (!covered) missing.push(name === undefined ? rule : { ...rule, resourceNames: [name] });
          }
    for (const url of nonResourceURLs)
      for (const verb of verbs)
        if (
          !held.some(
            (rule) =>
              any(rule.verbs, verb) &&
              (rule.resourceNames ?? []).length === 0 &&
              (rule.nonResourceURLs ?? []).some(
                (own) => own === url || (own.endsWith('*') && url.startsWith(own.replace(/\*+$/, ''))),
              ),
          )
        )
          missing.push({ verbs: [verb], nonResourceURLs: [url] });
  }
  return missing;
}

describe('rights that rules do not have (grantedRights)', () => {
  it('are those that none of them has, each compared with each', () => {
    fc.assert(
      fc.property(
        fc.array(ruleArbitrary, { maxLength: 12 }),
        fc.array(ruleArbitrary, { maxLength: 4 }),
        (held, wanted) => {
          expect(found(held, wanted)).to.deep.equal({ rules: compared(held, wanted), complete: true });
        },
      ),
    );
  });

  it('are not looked for one by one where one rule has them all', () => {
    const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    const wanted = { verbs: numbered(1_000, 'v'), apiGroups: numbered(1_000, 'g'), resources: numbered(1_000, 'r') };
    expect(found([all], [wanted])).to.deep.equal({ rules: [], complete: true });
    expect(found([{ ...all, resourceNames: ['a'] }], [wanted]).complete).to.equal(false);
    expect(found([{ ...all, resourceNames: ['a'] }], [{ ...wanted, resourceNames: ['a'] }]).rules).to.deep.equal([]);
  });

  it('are told up to ten thousand, and looked at up to the limit, in steps', () => {
    const many = { verbs: numbered(1_000, 'v'), apiGroups: numbered(1_000, 'g'), resources: numbered(1_000, 'r') };
    const missing = found([], [many]);
    expect(missing.complete).to.equal(false);
    expect(missing.rules).to.have.length(10_000);
    const halves = [many.verbs.slice(0, 500), many.verbs.slice(500)].map((verbs) => ({ ...many, verbs }));
    const steps = findUncovered(halves, [many]);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count++;
    expect(step.value).to.deep.equal({ rules: [], complete: false });
    expect(count).to.be.within(limits.grantedRights.value / 1_000, limits.grantedRights.value / 1_000 + 1);
  });

  it('are found among thousands of rules without comparing each with each', () => {
    const groups = numbered(20, 'g').flatMap((group) =>
      numbered(20, 'r').flatMap((resource) =>
        numbered(20, 'v').map((verb) => ({ verbs: [verb], apiGroups: [group], resources: [resource] })),
      ),
    );
    const startedAt = process.cpuUsage();
    for (const rules of [
      numbered(8_000, 'r').map((resource) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] })),
      groups,
    ])
      expect(found(rules, rules)).to.deep.equal({ rules: [], complete: true });
    const { system, user } = process.cpuUsage(startedAt);
    // Comparing each with each: seven seconds.
    expect((system + user) / 1_000).to.be.lessThan(2_000);
  });
});
