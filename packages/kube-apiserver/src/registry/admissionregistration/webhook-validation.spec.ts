import type {
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import { builtinRelease } from '@kubechain/apimachinery';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { webhookConfigurationRules } from './webhook-validation.ts';

const context = internalContext({
  groupResource: { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' },
});
const rule: RuleWithOperations = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const webhook = (more: Partial<ValidatingWebhook & MutatingWebhook> = {}): ValidatingWebhook => ({
  name: 'a.x.io',
  clientConfig: { url: 'https://h/x' },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});
const rules = webhookConfigurationRules(builtinRelease);
const created = (...webhooks: ValidatingWebhook[]): string[] =>
  (rules.create?.({ webhooks }, context) ?? []).map(String);
const updated = (now: ValidatingWebhook[], old: ValidatingWebhook[]): string[] =>
  (rules.update?.({ webhooks: now }, { webhooks: old }, context) ?? []).map(String);

describe('rules of webhook configurations', () => {
  const rows: readonly (readonly [
    name: string,
    more: Partial<ValidatingWebhook & MutatingWebhook>,
    errors: readonly string[],
  ])[] = [
    ['a good one', {}, []],
    [
      'a name that is not qualified',
      { name: 'a' },
      ['webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots'],
    ],
    [
      'side effects',
      { sideEffects: 'Some' },
      ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    [
      'too much time',
      { timeoutSeconds: 31 },
      ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [
      'nowhere to call',
      { clientConfig: {} },
      ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      'no TLS',
      { clientConfig: { url: 'http://h' } },
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; ' +
          'desired format: https://host[/path]',
      ],
    ],
    [
      'reviews that nobody knows',
      { admissionReviewVersions: ['v2'] },
      ['webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1'],
    ],
    [
      'a reinvocation policy of its own',
      { reinvocationPolicy: 'Twice' as 'Never' },
      ['webhooks[0].reinvocationPolicy: Unsupported value: "Twice": supported values: "IfNeeded", "Never"'],
    ],
    [
      'a star among others',
      { rules: [{ ...rule, operations: ['*', 'CREATE'] }] },
      [
        'webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if \'*\' is present, must not ' +
          'specify other operations',
      ],
    ],
    [
      'a subresource that is covered',
      { rules: [{ ...rule, resources: ['pods/*', 'pods/log'] }] },
      [
        'webhooks[0].rules[0].resources[1]: Invalid value: "pods/log": if \'pods/*\' is present, must not ' +
          'specify pods/log',
      ],
    ],
    [
      'a rule of nothing',
      { rules: [{ operations: [], apiGroups: [], apiVersions: [], resources: [] }] },
      ['operations', 'apiGroups', 'apiVersions', 'resources'].map(
        (field) => `webhooks[0].rules[0].${field}: Required value`,
      ),
    ],
    [
      'conditions',
      {
        matchConditions: [
          { name: 'a', expression: '1' },
          { name: '', expression: 'params.x' },
        ],
      },
      [
        'webhooks[0].matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
        'webhooks[0].matchConditions[1].expression: Invalid value: "params.x": compilation failed: ERROR: ' +
          "<input>:1:1: undeclared reference to 'params' (in container '')\n | params.x\n | ^",
        'webhooks[0].matchConditions[1].name: Required value',
      ],
    ],
  ];
  for (const [name, more, errors] of rows)
    it(name, () => {
      expect(created(webhook(more))).to.deep.equal(errors);
    });

  it('a name twice', () => {
    expect(created(webhook(), webhook())).to.deep.equal(['webhooks[1].name: Duplicate value: "a.x.io"']);
  });

  it('lets through what is stored already', () => {
    const old = [webhook({ sideEffects: 'Unknown', admissionReviewVersions: ['v0'] }), webhook()];
    expect(updated(old, old)).to.deep.equal([]);
    expect(updated(old, [webhook()])).to.have.length(3);
    const conditional = [webhook({ matchConditions: [{ name: 'a', expression: 'no' }] })];
    expect(updated(conditional, conditional)).to.deep.equal([]);
    expect(updated(conditional, [webhook()])).to.have.length(1);
  });
});
