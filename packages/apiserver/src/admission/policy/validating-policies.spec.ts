import { FormatError } from '@kubechain/apimachinery';
import type { StatusError } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { alwaysAllow } from '../../authorization/always.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { plainObjects } from '../plain-objects.ts';
import { creationOf, oneNamespace } from '../testing/attributes.ts';
import type { ParamSource } from './param-sources.ts';
import { bindingOf, policyOf } from './policy-source.ts';
import type { BindingSpec, ValidatingPolicySpec } from './stored-policy.ts';
import { ValidatingAdmissionPolicy } from './validating-policies.ts';
import { ValidatingPolicy } from './validating-policy.ts';

const everything = {
  namespaceSelector: {},
  objectSelector: {},
  matchPolicy: 'Equivalent',
  resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['v1'], resources: ['*'] }],
};
const objects = [
  { metadata: { name: 'one', namespace: 'ns' }, max: 1 },
  { metadata: { name: 'two', namespace: 'ns' }, max: 2 },
];

function source(namespaced: boolean, ready = true): ParamSource {
  return {
    namespaced,
    ready: () => Promise.resolve(ready),
    list: () => objects,
    get: (namespace, name) =>
      objects.find(({ metadata }) => metadata.name === name && metadata.namespace === (namespaced ? namespace : 'ns')),
  };
}

interface Written {
  readonly policy: ValidatingPolicySpec;
  /** Another one, with the same bindings. */
  readonly next?: ValidatingPolicySpec;
  readonly bindings?: readonly BindingSpec[];
  readonly attributes?: Partial<AdmissionAttributes>;
  readonly params?: ParamSource;
}
interface Seen {
  readonly outcome: string;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

async function applied({
  attributes,
  bindings = [{ validationActions: ['Deny'] }],
  next,
  params,
  policy,
}: Written): Promise<Seen> {
  const warnings: string[] = [],
    annotations: Record<string, string> = {};
  const hooks = (next === undefined ? [policy] : [policy, next]).map((written, i) => ({
    ...policyOf(
      i === 0 ? 'p' : 'next',
      { matchConstraints: everything, failurePolicy: 'Fail', ...written },
      (_name, spec) => ValidatingPolicy.compile(spec),
    ),
    bindings: bindings.map((spec, j) => bindingOf(`b${j}`, spec)),
  }));
  const plugin = new ValidatingAdmissionPolicy({
    source: { hooks: () => hooks, hasSynced: true, waitForSync: () => Promise.resolve() },
    params: { find: () => Promise.resolve(params) },
    namespaces: oneNamespace,
    authorizer: alwaysAllow,
  });
  let outcome = 'admitted';
  try {
    await plugin.validate(
      creationOf({
        addWarning: (text) => {
          warnings.push(text);
        },
        addAuditAnnotation: (key, value) => {
          annotations[key] = value;
        },
        ...attributes,
      }),
    );
  } catch (error) {
    const { code, message, status } = error as StatusError;
    outcome =
      `${code} ${status.reason ?? ''} ` +
      `${message.replace('configmaps "x" is forbidden: ValidatingAdmissionPolicy ', '')}`;
  }
  return { outcome, warnings, annotations };
}

const kind = { apiVersion: 'v1', kind: 'Limit' };
const by = (ref: BindingSpec['paramRef']): readonly BindingSpec[] => [
  { validationActions: ['Deny'], ...(ref === undefined ? {} : { paramRef: ref }) },
];
const limit: ValidatingPolicySpec = {
  paramKind: kind,
  validations: [
    {
      expression: 'params == null || params.max > 1',
      messageExpression: "'max ' + string(params.max) + ' of ' + params.metadata.name",
    },
  ],
};
const expensive = "authorizer.path('/').check('get').allowed() && authorizer.path('/').check('get').allowed()";
const manySteps = 'string(lists.range(300).all(i, lists.range(300).all(j, i >= 0 && j >= 0)))';
const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

describe('validating admission policies', () => {
  const outcomes: readonly (readonly [name: string, written: Written, outcome: string])[] = [
    ['admit what holds', { policy: { validations: [{ expression: "object.metadata.name == 'x'" }] } }, 'admitted'],
    [
      'say which expression failed',
      { policy: { validations: [{ expression: ' object.metadata.name ==\n "y"' }] } },
      "422 Invalid 'p' with binding 'b0' denied request: failed expression: object.metadata.name ==\n \"y\"",
    ],
    [
      'say their message',
      { policy: { validations: [{ expression: 'false', message: ' no ' }] } },
      "422 Invalid 'p' with binding 'b0' denied request: no",
    ],
    [
      'say what the message is evaluated to',
      {
        policy: {
          validations: [{ expression: 'false', message: 'no', messageExpression: "' ' + request.name + ' '" }],
        },
      },
      "422 Invalid 'p' with binding 'b0' denied request: x",
    ],
    [
      'say the message where its expression fails',
      { policy: { validations: [{ expression: 'false', message: 'no', messageExpression: 'string(object.none)' }] } },
      "422 Invalid 'p' with binding 'b0' denied request: no",
    ],
    [
      'say the message where its expression gives lines',
      { policy: { validations: [{ expression: 'false', message: 'no', messageExpression: "'a\\nb'" }] } },
      "422 Invalid 'p' with binding 'b0' denied request: no",
    ],
    [
      'say the message where its expression gives too much',
      { policy: { validations: [{ expression: 'false', message: 'no', messageExpression: `'${'x'.repeat(5121)}'` }] } },
      "422 Invalid 'p' with binding 'b0' denied request: no",
    ],
    [
      'give their reason',
      { policy: { validations: [{ expression: 'false', message: 'no', reason: 'RequestEntityTooLarge' }] } },
      "413 RequestEntityTooLarge 'p' with binding 'b0' denied request: no",
    ],
    [
      'fail closed',
      { policy: { validations: [{ expression: 'object.none.a', message: 'no' }] } },
      "422 Invalid 'p' with binding 'b0' denied request: compilation error: must evaluate to bool but got dyn",
    ],
    [
      'fail closed at run time',
      { policy: { validations: [{ expression: 'object.none == 1' }] } },
      "422 Invalid 'p' with binding 'b0' denied request: expression 'object.none == 1' resulted in error: no " +
        'such key: none',
    ],
    [
      'fail open',
      { policy: { failurePolicy: 'Ignore', validations: [{ expression: 'object.none == 1' }] } },
      'admitted',
    ],
    [
      'limit what one expression costs',
      { policy: { validations: [{ expression: `${expensive} && ${expensive}` }] } },
      `422 Invalid 'p' with binding 'b0' denied request: expression '${expensive} && ${expensive}' resulted ` +
        'in error: operation cancelled: actual cost limit exceeded',
    ],
    [
      'limit what all cost',
      { policy: { validations: Array.from({ length: 15 }, () => ({ expression: expensive })) } },
      `422 Invalid 'p' with binding 'b0' denied request: ${outOfBudget}`,
    ],
    [
      'limit what variables cost',
      {
        policy: {
          variables: Array.from({ length: 15 }, (_, i) => ({ name: `v${i}`, expression: expensive })),
          validations: [{ expression: Array.from({ length: 15 }, (_, i) => `variables.v${i}`).join(' && ') }],
        },
      },
      `422 Invalid 'p' with binding 'b0' denied request: ${outOfBudget}`,
    ],
    [
      'limit what messages cost together with expressions',
      {
        policy: {
          validations: Array.from({ length: 14 }, () => ({ expression: expensive, messageExpression: manySteps })),
        },
      },
      `422 Invalid 'p' with binding 'b0' denied request: failed messageExpression: ${outOfBudget}`,
    ],
    [
      'see the old object',
      {
        policy: { validations: [{ expression: 'oldObject == null', message: 'update' }] },
        attributes: { operation: 'UPDATE', oldObject: { metadata: { name: 'x' } } },
      },
      "422 Invalid 'p' with binding 'b0' denied request: update",
    ],
    [
      'see no object on deletion',
      {
        policy: { validations: [{ expression: 'object != null', message: 'gone' }] },
        attributes: { operation: 'DELETE', object: undefined, oldObject: { metadata: { name: 'x' } } },
      },
      "422 Invalid 'p' with binding 'b0' denied request: gone",
    ],
    [
      'see the namespace',
      {
        policy: {
          validations: [
            {
              expression: 'false',
              messageExpression: "namespaceObject.metadata.labels.team + ' ' + namespaceObject.status.phase",
            },
          ],
        },
      },
      "422 Invalid 'p' with binding 'b0' denied request: a Active",
    ],
    [
      'see no namespace of namespaces',
      {
        policy: { validations: [{ expression: 'namespaceObject != null', message: 'none' }] },
        attributes: { kind: { group: '', version: 'v1', kind: 'Namespace' } },
      },
      "422 Invalid 'p' with binding 'b0' denied request: none",
    ],
    [
      'see the request',
      {
        policy: {
          validations: [
            {
              expression: 'false',
              messageExpression:
                "request.operation + ' ' + request.resource.resource + ' ' + request.kind.kind + ' ' + " +
                "request.namespace + ' ' + request.userInfo.username + ' ' + string(has(request.subResource)) " +
                "+ ' ' + string(request.dryRun)",
            },
          ],
        },
      },
      "422 Invalid 'p' with binding 'b0' denied request: CREATE configmaps ConfigMap ns u false false",
    ],
    [
      'use variables, each by those before',
      {
        policy: {
          variables: [
            { name: 'a', expression: '[1, 2]' },
            { name: 'b', expression: 'variables.a.map(i, i + 1)' },
          ],
          validations: [
            { expression: 'false', messageExpression: 'string(variables.b[1]) + string(size(variables.b))' },
          ],
        },
      },
      "422 Invalid 'p' with binding 'b0' denied request: 32",
    ],
    [
      'use variables that read each other in a long line',
      {
        policy: {
          variables: Array.from({ length: 2_000 }, (_, i) => ({
            name: `v${i}`,
            expression: i === 0 ? '0' : `variables.v${i - 1} + 1`,
          })),
          validations: [{ expression: 'false', messageExpression: 'string(variables.v1999)' }],
        },
      },
      "422 Invalid 'p' with binding 'b0' denied request: 1999",
    ],
    [
      'limit what variables cost that are begun again',
      {
        policy: {
          variables: Array.from({ length: 200 }, (_, i) => ({
            name: `v${i}`,
            expression: i === 0 ? 'true' : `${expensive} && variables.v${i - 1}`,
          })),
          validations: [{ expression: 'variables.v199' }],
        },
      },
      `422 Invalid 'p' with binding 'b0' denied request: ${outOfBudget}`,
    ],
    [
      'fail with their variables',
      {
        policy: {
          variables: [{ name: 'a', expression: 'object.none' }],
          validations: [{ expression: 'variables.a == 1' }],
        },
      },
      "422 Invalid 'p' with binding 'b0' denied request: expression 'variables.a == 1' resulted in error: " +
        'composited variable "a" fails to evaluate: no such key: none',
    ],
    [
      'do not apply where conditions do not hold',
      {
        policy: {
          matchConditions: [{ name: 'a', expression: "object.metadata.name == 'y'" }],
          validations: [{ expression: 'false' }],
        },
      },
      'admitted',
    ],
    [
      'fail with their conditions',
      {
        policy: {
          matchConditions: [{ name: 'a', expression: 'object.none == 1' }],
          validations: [{ expression: 'false' }],
        },
      },
      "422 Invalid 'p' with binding 'b0' denied request: expression 'object.none == 1' resulted in error: no " +
        'such key: none',
    ],
    [
      'do not apply to other resources',
      {
        policy: { validations: [{ expression: 'false' }] },
        attributes: { resource: { group: '', version: 'v2', resource: 'configmaps' } },
      },
      'admitted',
    ],
    [
      'do not apply to other names',
      {
        policy: {
          matchConstraints: {
            ...everything,
            resourceRules: [{ ...everything.resourceRules[0], resourceNames: ['y'] }],
          },
          validations: [{ expression: 'false' }],
        },
      },
      'admitted',
    ],
    [
      'do not apply to what is excluded',
      {
        policy: {
          matchConstraints: {
            ...everything,
            excludeResourceRules: [{ ...everything.resourceRules[0], resourceNames: ['x'] }],
          },
          validations: [{ expression: 'false' }],
        },
      },
      'admitted',
    ],
    [
      'do not apply where the binding does not match',
      {
        policy: { validations: [{ expression: 'false' }] },
        bindings: [
          {
            validationActions: ['Deny'],
            matchResources: { namespaceSelector: { matchLabels: { team: 'b' } }, objectSelector: {} },
          },
        ],
      },
      'admitted',
    ],
    [
      'do not apply to policies',
      {
        policy: { validations: [{ expression: 'false' }] },
        attributes: {
          kind: { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingAdmissionPolicy' },
          resource: {
            group: 'admissionregistration.k8s.io',
            version: 'v1',
            resource: 'validatingadmissionpolicies',
          },
        },
      },
      'admitted',
    ],
    [
      'apply to configurations of webhooks',
      {
        policy: { validations: [{ expression: 'false' }], matchConstraints: everything },
        attributes: {
          kind: { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration' },
          resource: {
            group: 'admissionregistration.k8s.io',
            version: 'v1',
            resource: 'validatingwebhookconfigurations',
          },
        },
      },
      '422 Invalid validatingwebhookconfigurations.admissionregistration.k8s.io "x" is forbidden: ' +
        "ValidatingAdmissionPolicy 'p' with binding 'b0' denied request: failed expression: false",
    ],
    [
      'tell bad bindings',
      {
        policy: { validations: [{ expression: 'true' }] },
        bindings: [{ validationActions: ['Deny'], matchResources: {} }],
      },
      "422 Invalid 'p' with binding 'b0' denied request: failed to configure binding: a nil namespace " +
        'selector was passed, please ensure selectors are initialized properly',
    ],
    [
      'tell namespaces that are not there',
      {
        policy: {
          matchConstraints: { ...everything, namespaceSelector: { matchLabels: { a: 'b' } } },
          validations: [{ expression: 'true' }],
        },
        attributes: { namespace: 'none' },
      },
      '422 Invalid \'p\' denied request: failed to configure policy: namespaces "none" not found',
    ],
    [
      'tell unknown kinds of params',
      { policy: limit, bindings: by({ name: 'one', parameterNotFoundAction: 'Deny' }) },
      "422 Invalid 'p' denied request: failed to configure policy: failed to find resource referenced by " +
        "paramKind: '/v1, Kind=Limit'",
    ],
    ['ignore unknown kinds under failure policy Ignore', { policy: { ...limit, failurePolicy: 'Ignore' } }, 'admitted'],
    [
      'use params',
      { policy: limit, params: source(true), bindings: by({ name: 'one', parameterNotFoundAction: 'Deny' }) },
      "422 Invalid 'p' with binding 'b0' denied request: max 1 of one",
    ],
    [
      'use params of the cluster',
      { policy: limit, params: source(false), bindings: by({ name: 'one', parameterNotFoundAction: 'Deny' }) },
      "422 Invalid 'p' with binding 'b0' denied request: max 1 of one",
    ],
    [
      'use all params selected',
      {
        policy: {
          ...limit,
          validations: [{ expression: 'params.max > 2', messageExpression: 'string(params.metadata.name)' }],
        },
        params: source(true),
        bindings: by({ selector: {}, parameterNotFoundAction: 'Deny' }),
      },
      "422 Invalid 'p' with binding 'b0' denied request: one",
    ],
    ['see no params without a reference', { policy: limit, params: source(true) }, 'admitted'],
    [
      'refuse where params are missing',
      { policy: limit, params: source(true), bindings: by({ name: 'three', parameterNotFoundAction: 'Deny' }) },
      "422 Invalid 'p' with binding 'b0' denied request: failed to configure binding: no params found for " +
        'policy binding with `Deny` parameterNotFoundAction',
    ],
    [
      'admit where params are missing',
      {
        policy: { ...limit, validations: [{ expression: 'false' }] },
        params: source(true),
        bindings: by({ name: 'three', parameterNotFoundAction: 'Allow' }),
      },
      'admitted',
    ],
    [
      'look for params in other namespaces',
      {
        policy: limit,
        params: source(true),
        bindings: by({ name: 'one', namespace: 'other', parameterNotFoundAction: 'Allow' }),
      },
      'admitted',
    ],
    [
      'refuse namespaces of params of the cluster',
      {
        policy: limit,
        params: source(false),
        bindings: by({ name: 'one', namespace: 'ns', parameterNotFoundAction: 'Allow' }),
      },
      "422 Invalid 'p' with binding 'b0' denied request: failed to configure binding: paramRef.namespace must " +
        'not be provided for a cluster-scoped `paramKind`',
    ],
    [
      'need a namespace for params',
      {
        policy: limit,
        params: source(true),
        attributes: { namespace: '' },
        bindings: by({ name: 'one', parameterNotFoundAction: 'Allow' }),
      },
      "422 Invalid 'p' with binding 'b0' denied request: failed to configure binding: cannot use namespaced " +
        'paramRef in policy binding that matches cluster-scoped resources',
    ],
    [
      'wait for params',
      { policy: limit, params: source(true, false), bindings: by({ name: 'one', parameterNotFoundAction: 'Allow' }) },
      "422 Invalid 'p' with binding 'b0' denied request: failed to configure binding: paramKind kind " +
        '`&ParamKind{APIVersion:v1,Kind:Limit,}` not yet synced to use for admission',
    ],
    [
      'refuse what cannot be converted',
      {
        policy: { validations: [{ expression: 'true' }] },
        attributes: { objects: { ...plainObjects, view: () => Promise.reject(new FormatError('no way')) } },
      },
      "422 Invalid 'p' with binding 'b0' denied request: failed to configure binding: failed to convert " +
        'object version: no way',
    ],
  ];
  for (const [name, written, outcome] of outcomes)
    it(name, async () => {
      expect((await applied(written)).outcome).to.equal(outcome);
    });

  it('see equivalent resources in the version of their rules', async () => {
    const seen = await applied({
      policy: {
        validations: [
          {
            expression: 'false',
            messageExpression: "object.apiVersion + ' ' + request.kind.version + ' ' + request.requestKind.version",
          },
        ],
      },
      attributes: {
        kind: { group: '', version: 'v2', kind: 'ConfigMap' },
        resource: { group: '', version: 'v2', resource: 'configmaps' },
        objects: {
          ...plainObjects,
          equivalents: () => [
            {
              kind: { group: '', version: 'v1', kind: 'ConfigMap' },
              resource: { group: '', version: 'v1', resource: 'configmaps' },
            },
          ],
        },
      },
    });
    expect(seen.outcome).to.equal("422 Invalid 'p' with binding 'b0' denied request: v1 v1 v2");
  });

  it('see the resource of their own rules, also where objects are of one kind in all its versions', async () => {
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    const rule = { operations: ['*'], apiGroups: ['*'], resources: ['pandas'] };
    const telling = (apiVersion: string): ValidatingPolicySpec => ({
      matchConstraints: { ...everything, resourceRules: [{ ...rule, apiVersions: [apiVersion] }] },
      validations: [{ expression: 'false', messageExpression: 'request.resource.version' }],
    });
    const { warnings } = await applied({
      policy: telling('v3'),
      next: telling('v1'),
      bindings: [{ validationActions: ['Warn'] }],
      attributes: {
        kind: scale,
        resource: { group: 'bears.com', version: 'v3', resource: 'pandas' },
        objects: {
          ...plainObjects,
          equivalents: () => [{ kind: scale, resource: { group: 'bears.com', version: 'v1', resource: 'pandas' } }],
        },
      },
    });
    expect(warnings.map((text) => text.slice(-2))).to.deep.equal(['v3', 'v1']);
  });

  it('warn and annotate as bindings say', async () => {
    const policy: ValidatingPolicySpec = {
      validations: [{ expression: 'true' }, { expression: 'false', message: 'a < b' }],
    };
    expect(
      await applied({ policy, bindings: [{ policyName: 'p', validationActions: ['Warn', 'Audit'] }] }),
    ).to.deep.equal({
      outcome: 'admitted',
      warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b0': a < b"],
      annotations: {
        'validation.policy.admission.k8s.io/validation_failure':
          '[{"message":"a \\u003c b","policy":"p","binding":"b0","expressionIndex":1,' +
          '"validationActions":["Warn","Audit"]}]',
      },
    });
  });

  it('publish audit annotations, of several bindings together', async () => {
    const policy: ValidatingPolicySpec = {
      ...limit,
      validations: [],
      auditAnnotations: [
        { key: 'max', valueExpression: 'string(params.max)' },
        { key: 'none', valueExpression: 'null' },
        { key: 'blank', valueExpression: "' '" },
      ],
    };
    const bindings = ['one', 'two', 'one'].map((name): BindingSpec => ({
      validationActions: ['Deny'],
      paramRef: { name, parameterNotFoundAction: 'Deny' },
    }));
    expect(await applied({ policy, bindings, params: source(true) })).to.deep.equal({
      outcome: 'admitted',
      warnings: [],
      annotations: { 'p/max': '1, 2' },
    });
  });

  it('refuse where an audit annotation fails, whatever the binding says', async () => {
    const policy: ValidatingPolicySpec = { auditAnnotations: [{ key: 'a', valueExpression: 'string(object.none)' }] };
    expect((await applied({ policy, bindings: [{ validationActions: ['Warn'] }] })).outcome).to.equal(
      "422 Invalid 'p' with binding 'b0' denied request: expression 'string(object.none)' resulted in error: " +
        'no such key: none',
    );
    expect((await applied({ policy: { ...policy, failurePolicy: 'Ignore' } })).outcome).to.equal('admitted');
  });

  it('refuse everything when nobody knows in time which there are', async () => {
    const plugin = new ValidatingAdmissionPolicy({
      source: { hooks: () => [], hasSynced: false, waitForSync: () => Promise.resolve() },
      params: { find: () => Promise.resolve(undefined) },
      namespaces: oneNamespace,
      authorizer: alwaysAllow,
    });
    const refused = await Promise.resolve(plugin.validate(creationOf())).then(
      () => 'admitted',
      (error: unknown) => (error as Error).message,
    );
    expect(refused).to.equal('configmaps "x" is forbidden: not yet ready to handle request');
  });

  it('have no say about reviews', async () => {
    const review = {
      resource: { group: 'authorization.k8s.io', version: 'v1', resource: 'localsubjectaccessreviews' },
    };
    expect(
      (await applied({ policy: { validations: [{ expression: 'false' }] }, attributes: review })).outcome,
    ).to.equal('admitted');
    expect(
      (
        await applied({
          policy: { validations: [{ expression: 'false' }] },
          attributes: { resource: { ...review.resource, resource: 'others' } },
        })
      ).outcome,
    ).to.include('failed expression');
  });

  it('let others be served between params, between validations, and between bindings', async () => {
    let rests = 0;
    const resting = {
      ...plainObjects,
      rest: () => {
        rests++;
        return Promise.resolve();
      },
    };
    const restsWith = async (validations: number, bindings = 1): Promise<number> => {
      rests = 0;
      const { outcome } = await applied({
        policy: { paramKind: kind, validations: Array.from({ length: validations }, () => ({ expression: 'true' })) },
        bindings: Array.from({ length: bindings }, () => ({
          validationActions: ['Deny'],
          paramRef: { selector: {}, parameterNotFoundAction: 'Deny' },
        })),
        params: source(true),
        attributes: { objects: resting },
      });
      expect(outcome).to.equal('admitted');
      return rests;
    };
    const one = await restsWith(1);
    // Two params: each further validation is two steps more, and is compiled once.
    expect((await restsWith(11)) - one).to.equal(30);
    expect((await restsWith(1, 2)) - one).to.be.greaterThan(4);
  });

  it('cost nothing where there are none', () => {
    const plugin = new ValidatingAdmissionPolicy({
      source: { hooks: () => [], hasSynced: true, waitForSync: () => Promise.resolve() },
      params: { find: () => Promise.resolve(undefined) },
      namespaces: oneNamespace,
      authorizer: alwaysAllow,
    });
    expect(plugin.validate(creationOf())).to.equal(undefined);
  });
});
