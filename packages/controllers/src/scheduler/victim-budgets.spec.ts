import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import { expect } from 'chai';
import { selectorOf } from '../controller/selector-of.ts';
import { keyOf } from '../informers/object-key.ts';
import { SelectorIndex } from '../selectors/selector-index.ts';
import { VictimBudgets } from './victim-budgets.ts';

const pod = (name: string, labels: Record<string, string>): Pod => ({ metadata: { namespace: 'n', name, labels } });
const budget = (name: string, disruptionsAllowed: number, rest: object = {}): PodDisruptionBudget =>
  ({
    metadata: { namespace: 'n', name },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { disruptionsAllowed },
    ...rest,
  }) as unknown as PodDisruptionBudget;

function protectedNames(budgets: readonly PodDisruptionBudget[], pods: readonly Pod[]): string[] {
  const byKey = new Map(budgets.map((each) => [keyOf(each), each]));
  const selectors = new SelectorIndex();
  for (const [key, each] of byKey) selectors.set(key, selectorOf(each));
  const found = new VictimBudgets({ selectors, get: (key) => byKey.get(key) }).protectedOf(pods);
  return [...found].map(({ metadata }) => metadata?.name ?? '');
}

describe('budgets of victims', () => {
  const [a, b, other] = [pod('a', { app: 'web' }), pod('b', { app: 'web' }), pod('c', { app: 'api' })];

  it('protect what goes after as many as they allow', () => {
    expect(protectedNames([budget('one', 1)], [a, other, b])).to.deep.equal(['b']);
    expect(protectedNames([budget('one', 1), budget('none', 0)], [a, b])).to.deep.equal(['a', 'b']);
  });

  it('do not count what is going already', () => {
    const status = { disruptionsAllowed: 0, disruptedPods: { a: '2026-01-01T00:00:00Z' } };
    expect(protectedNames([budget('one', 0, { status })], [a, b])).to.deep.equal(['b']);
  });

  it('protect nothing with an empty selector, and nothing without labels', () => {
    expect(protectedNames([budget('all', 0, { spec: { selector: {} } })], [a])).to.deep.equal([]);
    const selector = { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] };
    expect(protectedNames([budget('most', 0, { spec: { selector } })], [a, pod('bare', {})])).to.deep.equal(['a']);
  });

  it('are held against each set of labels once', () => {
    const pods = Array.from({ length: 100 }, (_, i) => pod(`p${i}`, { app: 'web' }));
    let looks = 0;
    const selectors = new SelectorIndex();
    for (let i = 0; i < 1_000; i++) selectors.set(`n/b${i}`, selectorOf(budget(`b${i}`, 0)));
    const victims = new VictimBudgets({ selectors, get: () => (looks++, undefined) });
    for (let node = 0; node < 10; node++) victims.protectedOf(pods);
    expect(looks).to.equal(1_000);
  });
});
