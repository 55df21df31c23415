import { expect } from 'chai';
import { isExemptFromAdmission, ruleMatches, type AdmissionRule, type RuleTarget } from './rules.ts';

const target = (path: string, more: Partial<RuleTarget> = {}): RuleTarget => {
  const [group = '', version = '', resource = '', subresource = ''] = path.split('/');
  return { operation: 'CREATE', resource: { group, version, resource }, subresource, namespace: 'ns', ...more };
};
const rule = (...resources: string[]): AdmissionRule => ({
  operations: ['CREATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources,
});

describe('rules of webhooks', () => {
  const rows: readonly (readonly [name: string, rule: AdmissionRule, target: RuleTarget, matches: boolean])[] = [
    ['the resource', rule('pods'), target('/v1/pods'), true],
    ['another resource', rule('pods'), target('/v1/secrets'), false],
    ['another group', rule('pods'), target('apps/v1/pods'), false],
    ['another version', rule('pods'), target('/v2/pods'), false],
    ['another operation', rule('pods'), target('/v1/pods', { operation: 'DELETE' }), false],
    [
      'all of everything',
      { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] },
      target('apps/v1/deployments', { operation: 'DELETE' }),
      true,
    ],
    ['all resources, but not their subresources', rule('*'), target('/v1/pods/status'), false],
    ['a subresource', rule('pods/status'), target('/v1/pods/status'), true],
    ['a subresource, but not the resource', rule('pods/status'), target('/v1/pods'), false],
    ['all subresources, and the resource', rule('pods/*'), target('/v1/pods'), true],
    ['a subresource of all', rule('*/scale'), target('/v1/replicationcontrollers/scale'), true],
    ['everything below everything', rule('*/*'), target('/v1/pods/exec'), true],
    ['what has a namespace', { ...rule('*'), scope: 'Namespaced' }, target('/v1/pods'), true],
    [
      'what has none, where it must have one',
      { ...rule('*'), scope: 'Namespaced' },
      target('/v1/nodes', { namespace: '' }),
      false,
    ],
    ['namespaces, which are of the cluster', { ...rule('*'), scope: 'Cluster' }, target('/v1/namespaces'), true],
    ['a rule of nothing', {}, target('/v1/pods'), false],
  ];
  for (const [name, written, asked, matches] of rows)
    it(`${matches ? 'match' : 'do not match'} ${name}`, () => {
      expect(ruleMatches(written, asked)).to.equal(matches);
    });

  it('never concern webhooks and policies themselves', () => {
    expect(
      isExemptFromAdmission({ group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' }),
    ).to.equal(true);
    expect(isExemptFromAdmission({ group: 'apps', kind: 'ValidatingWebhookConfiguration' })).to.equal(false);
  });
});
