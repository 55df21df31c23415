import type { PodFailurePolicyRule } from '@kubechain/apimachinery/types/batch/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { judgeFailure, type FailureVerdict } from './pod-failure-policy.ts';

const pod = {
  metadata: { name: 'p', namespace: 'n' },
  status: {
    conditions: [{ type: 'DisruptionTarget', status: 'True' }],
    initContainerStatuses: [{ name: 'init', state: { terminated: { exitCode: 7 } } }],
    containerStatuses: [
      { name: 'ok', state: { terminated: { exitCode: 0 } } },
      { name: 'main', state: { terminated: { exitCode: 42 } } },
      { name: 'on', state: { running: {} } },
    ],
  },
} as unknown as Pod;

describe('a pod failure policy', () => {
  const codes = (operator: 'In' | 'NotIn', ...values: number[]): Pick<PodFailurePolicyRule, 'onExitCodes'> => ({
    onExitCodes: { operator, values },
  });
  const cases: readonly (readonly [name: string, rules: PodFailurePolicyRule[], verdict: FailureVerdict])[] = [
    ['without rules counts', [], { counts: true }],
    [
      'fails the job by an exit code',
      [{ action: 'FailJob', ...codes('In', 42) }],
      {
        action: 'FailJob',
        counts: true,
        message: 'Container main for pod n/p failed with exit code 42 matching FailJob rule at index 0',
      },
    ],
    [
      'looks at init containers last',
      [{ action: 'FailIndex', ...codes('In', 7) }],
      { action: 'FailIndex', counts: true },
    ],
    ['never takes success for a failure', [{ action: 'Ignore', ...codes('NotIn', 42, 7) }], { counts: true }],
    [
      'keeps to a container',
      [{ action: 'Ignore', onExitCodes: { containerName: 'ok', operator: 'NotIn', values: [1] } }],
      {
        counts: true,
      },
    ],
    [
      'ignores by a condition',
      [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      {
        action: 'Ignore',
        counts: false,
      },
    ],
    [
      'takes the first rule',
      [
        { action: 'Count', onPodConditions: [{ type: 'Other', status: 'True' }] },
        { action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        { action: 'Ignore', ...codes('In', 42) },
      ],
      {
        action: 'FailJob',
        counts: true,
        message: 'Pod n/p has condition DisruptionTarget matching FailJob rule at index 1',
      },
    ],
  ];
  for (const [name, rules, verdict] of cases)
    it(name, () => expect(judgeFailure({ rules }, pod)).to.deep.equal(verdict));
});
