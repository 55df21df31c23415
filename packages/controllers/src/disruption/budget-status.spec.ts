import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import { expect } from 'chai';
import { budgetStatus, countHealthy, disruptedPods, failedStatus } from './budget-status.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const before = (seconds: number): string => new Date(nowMs - seconds * 1_000).toISOString().replace('.000', '');
const pod = (name: string, { deleted = false, ready = true } = {}): Pod =>
  ({
    metadata: { name, ...(deleted ? { deletionTimestamp: before(1) } : {}) },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }) as unknown as Pod;
const budget = (status: object = {}, generation = 2): PodDisruptionBudget =>
  ({ metadata: { name: 'b', generation }, spec: {}, status }) as unknown as PodDisruptionBudget;
const counts = { currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, disruptedPods: {} };

describe('the status of a budget', () => {
  it('allows what is healthy beyond what must be', () => {
    const status = budgetStatus(budget(), counts, nowMs);
    expect(status).to.deep.include({ disruptionsAllowed: 1, observedGeneration: 2, expectedPods: 3 });
    expect(status?.conditions).to.deep.equal([
      {
        type: 'DisruptionAllowed',
        status: 'True',
        reason: 'SufficientPods',
        message: '',
        observedGeneration: 2,
        lastTransitionTime: '2026-01-01T12:00:00Z',
      },
    ]);
  });
  for (const [what, changed] of [
    ['too few are healthy', { currentHealthy: 1 }],
    ['there are to be none', { expectedPods: 0, desiredHealthy: 0 }],
  ] as const)
    it(`allows nothing where ${what}`, () => {
      const status = budgetStatus(budget(), { ...counts, ...changed }, nowMs);
      expect(status?.disruptionsAllowed).to.equal(0);
      expect(status?.conditions?.[0]).to.deep.include({ status: 'False', reason: 'InsufficientPods' });
    });
  it('is not written again while nothing changes, but for a new generation', () => {
    const status = budgetStatus(budget(), counts, nowMs);
    expect(budgetStatus(budget(status), counts, nowMs + 60_000)).to.equal(undefined);
    expect(budgetStatus(budget(status, 3), counts, nowMs + 60_000)).to.deep.include({ observedGeneration: 3 });
  });
  it('keeps the time of a condition whose status stays', () => {
    const status = budgetStatus(budget(), { ...counts, currentHealthy: 2 }, nowMs);
    const failed = failedStatus(budget(status), 'found no controllers for pod "p"', nowMs + 60_000);
    expect(failed.conditions?.[0]).to.deep.include({
      reason: 'SyncFailed',
      message: 'found no controllers for pod "p"',
      lastTransitionTime: '2026-01-01T12:00:00Z',
    });
    expect(failed).to.deep.include({ disruptionsAllowed: 0, currentHealthy: 2 });
  });
});

describe('evictions that were granted', () => {
  const pods = [pod('under-way'), pod('forgotten'), pod('going', { deleted: true }), pod('other')];
  const granted = { 'under-way': before(100), forgotten: before(121), going: before(5), gone: before(5) };
  it('are expected to come to something within two minutes', async () => {
    const { notDeleted, recheckMs, under } = await disruptedPods(budget({ disruptedPods: granted }), pods, nowMs);
    expect(under).to.deep.equal({ 'under-way': before(100) });
    expect(notDeleted.map(({ metadata }) => metadata?.name)).to.deep.equal(['forgotten']);
    expect(recheckMs).to.equal(20_000);
  });
  it('count as gone', async () => {
    expect(await countHealthy([...pods, pod('unready', { ready: false })], { 'under-way': before(100) })).to.equal(2);
  });
  // Each of thousands of budgets that select them all was one step.
  it('are looked for, and pods counted, in turns with others', async () => {
    const many = Array.from({ length: 200_000 }, () => pod('p'));
    for (const look of [
      () => countHealthy(many, {}),
      () => disruptedPods(budget({ disruptedPods: granted }), many, nowMs),
    ]) {
      let turns = 0;
      let done = false;
      void look().then(() => (done = true));
      for (; !done; turns++) await new Promise((resolve) => setImmediate(resolve));
      expect(turns).to.be.above(1);
    }
  });
});
