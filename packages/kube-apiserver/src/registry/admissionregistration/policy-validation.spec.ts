import type {
  MutatingAdmissionPolicySpec,
  ParamKind,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import { expect } from 'chai';
import { validateMutatingPolicy } from './mutatingadmissionpolicy/validation.ts';
import { validateMutatingBinding } from './mutatingadmissionpolicybinding/validation.ts';
import { validateValidatingPolicy, validateValidatingPolicyStatus } from './validatingadmissionpolicy/validation.ts';
import { validateValidatingBinding } from './validatingadmissionpolicybinding/validation.ts';

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const match = { matchPolicy: 'Equivalent' as const, namespaceSelector: {}, objectSelector: {}, resourceRules: [rule] };
const policy = (
  spec: Partial<ValidatingAdmissionPolicySpec>,
): { metadata: { name: string }; spec: ValidatingAdmissionPolicySpec } => ({
  metadata: { name: 'p' },
  spec: { failurePolicy: 'Fail', matchConstraints: match, validations: [{ expression: 'true' }], ...spec },
});
const undeclared = (name: string, shown: string): string =>
  `Invalid value: "${shown}": compilation failed: ERROR: <input>:1:1: undeclared reference to '${name}' (in ` +
  `container '')\n | ${shown}\n | ^`;

describe('rules of validating admission policies', () => {
  const rows: readonly (readonly [
    name: string,
    spec: Partial<ValidatingAdmissionPolicySpec>,
    errors: readonly string[],
  ])[] = [
    [
      'a good one',
      {
        variables: [{ name: 'a', expression: '1' }],
        validations: [
          { expression: 'variables.a == 1 && params.x', messageExpression: 'string(params.x)', reason: 'Forbidden' },
        ],
        paramKind: { apiVersion: 'x.io/v1', kind: 'Box' },
        matchConditions: [{ name: 'a', expression: 'params.y' }],
      },
      ['spec.matchConditions[0].expression: Invalid value: "params.y": must evaluate to bool but got dyn'],
    ],
    ['only audit annotations', { validations: [], auditAnnotations: [{ key: 'a', valueExpression: "'x'" }] }, []],
    [
      'nothing to check',
      { validations: [] },
      ['spec.validations', 'spec.auditAnnotations'].map(
        (field) => `${field}: Required value: validations or auditAnnotations must contain at least one item`,
      ),
    ],
    [
      'an unknown failure policy',
      { failurePolicy: 'Maybe' as 'Fail' },
      ['spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    ],
    [
      'no rules',
      { matchConstraints: { ...match, resourceRules: [] } },
      ['spec.matchConstraints.resourceRules: Required value'],
    ],
    [
      'selectors that are missing',
      { matchConstraints: { resourceRules: [rule] } },
      ['matchPolicy', 'namespaceSelector', 'objectSelector'].map(
        (field) => `spec.matchConstraints.${field}: Required value`,
      ),
    ],
    [
      'names of resources',
      { matchConstraints: { ...match, excludeResourceRules: [{ ...rule, resourceNames: ['a', 'a', 'b/c'] }] } },
      [
        'spec.matchConstraints.excludeResourceRules[0].resourceNames[1]: Duplicate value: "a"',
        'spec.matchConstraints.excludeResourceRules[0].resourceNames[2]: Invalid value: "b/c": may not contain \'/\'',
      ],
    ],
    [
      'conditions',
      {
        matchConditions: [
          { name: 'a', expression: ' x ' },
          { name: 'a', expression: '' },
        ],
      },
      [
        `spec.matchConditions[0].expression: ${undeclared('x', 'x')}`,
        'spec.matchConditions[1].expression: Required value',
        'spec.matchConditions[1].name: Duplicate value: "a"',
      ],
    ],
    [
      'too many conditions',
      { matchConditions: Array.from({ length: 65 }, (_, i) => ({ name: `c${i}`, expression: 'true' })) },
      ['spec.matchConditions: Too many: 65: must have at most 64 items'],
    ],
    [
      'conditions that use variables',
      { variables: [{ name: 'a', expression: 'true' }], matchConditions: [{ name: 'a', expression: 'variables.a' }] },
      [`spec.matchConditions[0].expression: ${undeclared('variables', 'variables.a')}`],
    ],
    [
      'variables with bad names',
      {
        variables: [
          { name: 'in', expression: '1' },
          { name: '1a', expression: '1' },
          { name: ' ', expression: ' ' },
        ],
      },
      [
        'spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier',
        'spec.variables[1].name: Invalid value: "1a": must be a valid CEL identifier',
        'spec.variables[2].name: Required value: name is not specified',
        'spec.variables[2].expression: Required value: expression is not specified',
      ],
    ],
    [
      'variables where there are none',
      { validations: [{ expression: 'variables.a' }] },
      [`spec.validations[0].expression: ${undeclared('variables', 'variables.a')}`],
    ],
    [
      'params without a kind',
      { validations: [{ expression: 'params' }] },
      [`spec.validations[0].expression: ${undeclared('params', 'params')}`],
    ],
    [
      'messages',
      {
        validations: [
          { expression: 'true', message: ' ' },
          { expression: 'true', message: 'a\rb', messageExpression: ' ' },
        ],
      },
      [
        'spec.validations[0].message: Invalid value: " ": must be non-empty if specified',
        'spec.validations[1].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[1].message: Invalid value: "a\\rb": must not contain line breaks',
      ],
    ],
    [
      'expressions that always fail',
      { validations: [{ expression: "int('x') == 1" }] },
      [
        'spec.validations[0].expression: Internal error: program instantiation failed: type conversion error ' +
          "from 'string' to 'int'",
      ],
    ],
    [
      'audit annotations',
      {
        auditAnnotations: [
          { key: 'a', valueExpression: ' 1 ' },
          { key: 'a', valueExpression: 'x'.repeat(5121) },
        ],
      },
      [
        'spec.auditAnnotations[0].valueExpression: Invalid value: " 1 ": must evaluate to one of [string ' +
          'null_type] but got int',
        'spec.auditAnnotations[1].valueExpression: Required value: must not exceed 5120 bytes in length',
        'spec.auditAnnotations[1].key: Duplicate value: "a"',
      ],
    ],
  ];
  for (const [name, spec, errors] of rows)
    it(name, () => {
      expect(validateValidatingPolicy(policy(spec)).map(String)).to.deep.equal(errors);
    });

  it('too many audit annotations', () => {
    const auditAnnotations = Array.from({ length: 21 }, (_, i) => ({ key: `k${i}`, valueExpression: 'null' }));
    expect(validateValidatingPolicy(policy({ auditAnnotations })).map(({ detail }) => detail)).to.deep.equal([
      'must not have more than 20 auditAnnotations',
    ]);
  });

  const kinds: readonly (readonly [kind: ParamKind, errors: readonly string[]])[] = [
    [{}, ['apiVersion: Required value', 'kind: Required value']],
    [{ apiVersion: '/', kind: 'Box' }, ['apiVersion: Invalid value: "/": version must be specified']],
    [
      { apiVersion: 'a/b/c', kind: 'Box' },
      ['apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
  ];
  for (const [paramKind, errors] of kinds)
    it(`params of kind ${JSON.stringify(paramKind)}`, () => {
      expect(validateValidatingPolicy(policy({ paramKind })).map(String)).to.deep.equal(
        errors.map((error) => `spec.paramKind.${error}`),
      );
    });

  it('names of kinds', () => {
    expect(
      validateValidatingPolicy(policy({ paramKind: { apiVersion: 'X/V', kind: 'B x' } })).map(({ field }) =>
        String(field),
      ),
    ).to.deep.equal(['spec.paramKind.apiVersion', 'spec.paramKind.apiVersion', 'spec.paramKind.kind']);
  });

  it('conditions that have not changed are not looked at again', () => {
    const old = policy({ matchConditions: [{ name: 'a', expression: 'broken' }] });
    expect(
      validateValidatingPolicy({ ...old, spec: { ...old.spec, validations: [{ expression: 'false' }] } }, old),
    ).to.deep.equal([]);
    expect(
      validateValidatingPolicy({ ...old, spec: { ...old.spec, paramKind: { apiVersion: 'v1', kind: 'Secret' } } }, old),
    ).to.have.length(1);
  });

  it('warnings of type checks', () => {
    expect(
      validateValidatingPolicyStatus({
        status: { typeChecking: { expressionWarnings: [{ fieldRef: ' ', warning: '' }] } },
      }).map(String),
    ).to.deep.equal(
      ['warning', 'fieldRef'].map((field) => `status.typeChecking.expressionWarnings[0].${field}: Required value`),
    );
    const fieldRefs = ['spec.validations[0].expression', ' spec.[a] '];
    expect(
      validateValidatingPolicyStatus({
        status: { typeChecking: { expressionWarnings: fieldRefs.map((fieldRef) => ({ fieldRef, warning: 'w' })) } },
      }).map(String),
    ).to.deep.equal([
      'status.typeChecking.expressionWarnings[1].fieldRef: Invalid value: "spec.[a]": ' +
        'invalid JSONPath: invalid array index a',
    ]);
  });
});

describe('rules of bindings of validating admission policies', () => {
  const rows: readonly (readonly [
    name: string,
    spec: Partial<ValidatingAdmissionPolicyBindingSpec>,
    errors: readonly string[],
  ])[] = [
    ['a good one', { matchResources: match, paramRef: { selector: {}, parameterNotFoundAction: 'Allow' } }, []],
    ['no policy', { policyName: '' }, ['policyName: Required value']],
    [
      'no actions',
      { validationActions: [] },
      ['validationActions: Required value: at least one validation action is required'],
    ],
    [
      'unknown actions, twice',
      { validationActions: ['Shout', 'Shout'] },
      [
        'validationActions[0]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
        'validationActions[1]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
        'validationActions[1]: Duplicate value: "Shout"',
      ],
    ],
    [
      'actions that say the same',
      { validationActions: ['Warn', 'Deny'] },
      [
        'validationActions: Invalid value: ["Warn","Deny"]: must not contain both Deny and Warn (repeating ' +
          'the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
    [
      'params of no name',
      { paramRef: {} },
      [
        'paramRef: Required value: one of name or selector must be specified',
        'paramRef.parameterNotFoundAction: Required value',
      ],
    ],
    [
      'params named twice',
      { paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Shrug' } },
      [
        'paramRef.name: Forbidden: name and selector are mutually exclusive',
        'paramRef.selector: Forbidden: name and selector are mutually exclusive',
        'paramRef.parameterNotFoundAction: Unsupported value: "Shrug": supported values: "Deny", "Allow"',
      ],
    ],
  ];
  for (const [name, spec, errors] of rows) {
    it(name, () => {
      expect(
        validateValidatingBinding({ spec: { policyName: 'p', validationActions: ['Deny'], ...spec } }).map(String),
      ).to.deep.equal(errors.map((error) => `spec.${error}`));
    });
  }
});

describe('rules of mutating admission policies', () => {
  const apply = (expression: string): MutatingAdmissionPolicySpec => ({
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  });
  const patch = (expression: string): MutatingAdmissionPolicySpec => ({
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  });
  const rows: readonly (readonly [name: string, spec: MutatingAdmissionPolicySpec, errors: readonly string[]])[] = [
    [
      'a good configuration',
      {
        variables: [{ name: 'a', expression: "'x'" }],
        ...apply("Object{metadata: Object.metadata{labels: {'a': variables.a}}}"),
      },
      [],
    ],
    [
      'a good patch',
      patch("[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: object.x}]"),
      [],
    ],
    [
      'nothing',
      { reinvocationPolicy: '' as 'Never' },
      ['mutations: Required value: mutations must contain at least one item', 'reinvocationPolicy: Required value'],
    ],
    [
      'an unknown reinvocation policy',
      { ...apply('Object{}'), reinvocationPolicy: 'Twice' as 'Never' },
      ['reinvocationPolicy: Unsupported value: "Twice": supported values: "IfNeeded", "Never"'],
    ],
    [
      'deletions',
      { ...apply('Object{}'), matchConstraints: { ...match, resourceRules: [{ ...rule, operations: ['DELETE'] }] } },
      [
        'matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", ' +
          '"CONNECT", "CREATE", "UPDATE"',
      ],
    ],
    ['no patch type', { mutations: [{ patchType: '' as 'JSONPatch' }] }, ['mutations[0].patchType: Required value']],
    [
      'an unknown patch type',
      { mutations: [{ patchType: 'Merge' as 'JSONPatch' }] },
      ['mutations[0].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"'],
    ],
    [
      'the other mutation',
      {
        mutations: [
          { patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } },
          { patchType: 'ApplyConfiguration', jsonPatch: { expression: 'x' } },
        ],
      },
      [
        'mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
        'mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when ' +
          'patchType is JSONPatch',
        'mutations[1].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration',
        'mutations[1].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ' +
          'ApplyConfiguration',
      ],
    ],
    ['blank expressions', apply(' '), ['mutations[0].applyConfiguration.expression: Required value']],
    [
      'configurations of another type',
      apply("{'a': 'b'}"),
      [
        "mutations[0].applyConfiguration.expression: Invalid value: \"{'a': 'b'}\": must evaluate to Object " +
          'but got map(string, string)',
      ],
    ],
    [
      'patches of another type',
      patch('Object{}'),
      ['mutations[0].jsonPatch.expression: Invalid value: "Object{}": must evaluate to list(JSONPatch) but got Object'],
    ],
    [
      'patches with fields of another type',
      patch('[JSONPatch{op: 1}]'),
      [
        'mutations[0].jsonPatch.expression: Invalid value: "[JSONPatch{op: 1}]": compilation failed: ERROR: ' +
          "<input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'\n | [JSONPatch{op: " +
          '1}]\n | .............^',
      ],
    ],
  ];
  for (const [name, spec, errors] of rows) {
    it(name, () => {
      expect(
        validateMutatingPolicy({
          metadata: { name: 'p' },
          spec: { failurePolicy: 'Fail', matchConstraints: match, reinvocationPolicy: 'Never', ...spec },
        }).map(String),
      ).to.deep.equal(errors.map((error) => `spec.${error}`));
    });
  }

  it('bindings that match deletions', () => {
    expect(
      validateMutatingBinding({
        spec: { policyName: '', matchResources: { ...match, resourceRules: [{ ...rule, operations: ['DELETE'] }] } },
      }).map(({ field }) => field),
    ).to.deep.equal(['spec.policyName', 'spec.matchResources.resourceRules.operations']);
  });
});
