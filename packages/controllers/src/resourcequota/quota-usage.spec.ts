import { expect } from 'chai';
import type { Pod, ResourceQuota } from '@kubechain/apimachinery/types/core/v1';
import { formatAmounts, quotaEvaluators, type QuotaEvaluator } from '@kubechain/component-helpers';
import { quotaUsages } from './quota-usage.ts';

const pods = quotaEvaluators({ now: () => 0 }).get('pods.')!;
const pod = (cpu: string, spec: Partial<Pod['spec']> = {}): Pod => ({
  spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }], ...spec },
});
const quota = (hard: Record<string, string>, spec: Partial<ResourceQuota['spec']> = {}): ResourceQuota => ({
  spec: { hard, ...spec },
});

describe('usage of quotas', () => {
  const usages = async (quotas: readonly ResourceQuota[], objects: readonly Pod[], evaluator = pods) =>
    (await quotaUsages(quotas, [{ evaluator, objects: () => objects }])).map(formatAmounts);

  it('is what each limits, of what its scopes count', async () => {
    const quotas = [
      quota({ pods: '9' }),
      quota({ 'requests.cpu': '9', secrets: '1' }),
      quota({ pods: '9' }, { scopes: ['Terminating'] }),
      quota({ pods: '9', 'requests.cpu': '9' }, { scopes: ['NotTerminating'] }),
      quota({ secrets: '1' }),
    ];
    const objects = [pod('1'), pod('500m'), pod('2', { activeDeadlineSeconds: 5 })];
    expect(await usages(quotas, objects)).to.deep.equal([
      { pods: '3' },
      { 'requests.cpu': '3500m' },
      { pods: '1' },
      { pods: '2', 'requests.cpu': '1500m' },
      {},
    ]);
    expect(await usages(quotas.slice(0, 1), [])).to.deep.equal([{ pods: '0' }]);
  });

  // Each quota went through all of its namespace.
  it('takes one look at each object, however many quotas count it', async () => {
    let looks = 0;
    const counting: QuotaEvaluator = {
      ...pods,
      usage: (object) => {
        looks++;
        return pods.usage(object);
      },
    };
    const quotas = Array.from({ length: 100 }, (_, i) => quota({ pods: String(i), 'requests.cpu': '1' }));
    const objects = Array.from({ length: 500 }, () => pod('1'));
    const found = await usages(quotas, objects, counting);
    expect(found).to.have.length(100);
    expect(found[99]).to.deep.equal({ pods: '500', 'requests.cpu': '500' });
    expect(looks).to.equal(500);
  });

  it('does not list what no quota counts', async () => {
    let listed = 0;
    const objects = (): readonly object[] => {
      listed++;
      return [];
    };
    await quotaUsages([quota({ secrets: '1' })], [{ evaluator: pods, objects }]);
    expect(listed).to.equal(0);
  });
});
