import { builtinRelease, loadRelease, type Release } from '@kubechain/apimachinery';
import type {
  MutatingAdmissionPolicySpec,
  MutatingWebhook,
  ValidatingAdmissionPolicySpec,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { validateMutatingPolicy } from './mutatingadmissionpolicy/validation.ts';
import { validateValidatingPolicy } from './validatingadmissionpolicy/validation.ts';
import { webhookConfigurationRules } from './webhook-validation.ts';

/** What 1.34 knows and its predecessor does not. */
const later = '[1, 2].reverse() == [2, 1]';
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const match = { matchPolicy: 'Equivalent' as const, namespaceSelector: {}, objectSelector: {}, resourceRules: [rule] };
const conditions = [{ name: 'a', expression: later }];

describe('expressions that the release before cannot read', () => {
  const releases: Record<'1.34' | '1.36', Release> = { '1.34': builtinRelease, '1.36': builtinRelease };
  before(async () => void (releases['1.34'] = (await loadRelease('1.34')) as Release));

  const validating = (spec: Partial<ValidatingAdmissionPolicySpec>): { spec: ValidatingAdmissionPolicySpec } => ({
    spec: { failurePolicy: 'Fail', matchConstraints: match, validations: [{ expression: 'true' }], ...spec },
  });
  const mutating = (spec: Partial<MutatingAdmissionPolicySpec>): { spec: MutatingAdmissionPolicySpec } => ({
    spec: { failurePolicy: 'Fail', reinvocationPolicy: 'Never', matchConstraints: match, ...spec },
  });
  const apply = (expression: string): Partial<MutatingAdmissionPolicySpec> => ({
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  });
  const patch = (expression: string): Partial<MutatingAdmissionPolicySpec> => ({
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  });
  const object = `${later} ? Object{} : Object{}`;
  const patches = `${later} ? [JSONPatch{op: "remove", path: "/" + jsonpatch.escapeKey("a")}] : []`;
  const webhooks = (more: Partial<MutatingWebhook>): { webhooks: MutatingWebhook[] } => ({
    webhooks: [
      {
        name: 'a.x.io',
        clientConfig: { url: 'https://h/x' },
        rules: [rule],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  });

  type Judge = (release: Release) => readonly unknown[];
  const ofPolicy =
    (spec: Partial<ValidatingAdmissionPolicySpec>, old?: Partial<ValidatingAdmissionPolicySpec>): Judge =>
    (release) =>
      validateValidatingPolicy(validating(spec), old === undefined ? undefined : validating(old), release);
  const ofMutation =
    (spec: Partial<MutatingAdmissionPolicySpec>, old?: Partial<MutatingAdmissionPolicySpec>): Judge =>
    (release) =>
      validateMutatingPolicy(mutating(spec), old === undefined ? undefined : mutating(old), release);
  const context = internalContext({ groupResource: { group: 'admissionregistration.k8s.io', resource: 'x' } });
  const ofWebhooks =
    (more: Partial<MutatingWebhook>, old?: Partial<MutatingWebhook>): Judge =>
    (release) => {
      const { create, update } = webhookConfigurationRules(release);
      return (
        (old === undefined ? create?.(webhooks(more), context) : update?.(webhooks(more), webhooks(old), context)) ?? []
      );
    };
  const rows: readonly (readonly [name: string, judge: Judge, errors: number])[] = [
    ['a new validation', ofPolicy({ validations: [{ expression: later }] }), 1],
    ['a validation that comes with a change', ofPolicy({ validations: [{ expression: later }] }, {}), 1],
    [
      'a validation that is there',
      ofPolicy({ validations: [{ expression: later, message: 'other' }] }, { validations: [{ expression: later }] }),
      0,
    ],
    [
      'a message that comes with a change',
      ofPolicy({ validations: [{ expression: 'true', messageExpression: 'string([1].reverse()[0])' }] }, {}),
      1,
    ],
    ['a variable', ofPolicy({ variables: [{ name: 'a', expression: later }] }, {}), 1],
    ['a condition of a policy', ofPolicy({ matchConditions: conditions }), 1],
    [
      'a condition that is there',
      ofPolicy(
        { matchConditions: [...conditions, { name: 'b', expression: 'true' }] },
        { matchConditions: conditions },
      ),
      0,
    ],
    ['a new mutation', ofMutation(apply(object)), 1],
    ['a mutation that is there', ofMutation(apply(object), apply(object)), 0],
    ['a new patch', ofMutation(patch(patches)), 1],
    ['a patch that is there, which is not found', ofMutation(patch(patches), patch(patches)), 1],
    ['a condition of a webhook', ofWebhooks({ matchConditions: conditions }), 1],
    [
      'a condition of a webhook that is there',
      ofWebhooks(
        { matchConditions: [...conditions, { name: 'b', expression: 'true' }] },
        { matchConditions: conditions },
      ),
      0,
    ],
  ];
  for (const [name, judge, errors] of rows)
    it(`are ${errors === 0 ? 'taken' : 'refused'} in 1.34: ${name}`, () => {
      expect(judge(releases['1.36'])).to.deep.equal([]);
      expect(judge(releases['1.34']).length).to.equal(errors);
    });
});
