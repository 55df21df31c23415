import type { ObjectMap, Value, Values } from '../values.ts';

const VALIDATIONS: readonly ObjectMap[] = [
  { expression: '!has(object.data) || object.data.size() < 2', message: 'too much data' },
  {
    expression: "object == null || object.metadata.name != 'o1'",
    messageExpression: "'no ' + object.metadata.name",
    reason: 'Forbidden',
  },
  { expression: "request.operation != 'DELETE' || oldObject.metadata.labels.l != 'a'", reason: 'Unauthorized' },
  {
    expression:
      "!has(object.metadata.labels) || !has(object.metadata.labels.l) || object.metadata.labels['l'] in ['a','b']",
    reason: 'RequestEntityTooLarge',
    message: 'l',
  },
  {
    expression: '[object, oldObject].exists(o, o == null || !has(o.data)) || object.data == oldObject.data',
    reason: 'Invalid',
  },
  { expression: 'namespaceObject.metadata.name == request.namespace' },
  {
    expression: "authorizer.group('').resource('configmaps').namespace(request.namespace).check('delete').allowed()",
    messageExpression: "'not ' + request.userInfo.username",
  },
  { expression: 'variables.size < 3', messageExpression: "'variable ' + string(variables.size)" },
  { expression: 'object.spec.replicas < 3' },
  { expression: "params.data.limit != 'x'", messageExpression: "'limit ' + params.data.limit" },
  { expression: 'request.dryRun == false', message: 'no dry runs' },
  { expression: "request.kind.kind != 'Deployment' || request.subResource == ''" },
  {
    expression: 'request.requestKind == request.kind && request.requestResource == request.resource',
    messageExpression: "request.requestKind.version + ' as ' + request.kind.version",
  },
  { expression: "request.userInfo.groups.exists(g, g == 'devs') || request.userInfo.extra == {}", message: 'nobody' },
  {
    expression:
      "object == null || quantity('1Gi').compareTo(quantity('1G')) == 1 && " +
      "object.metadata.?labels[?'l'].orValue('') != 'b'",
    messageExpression: "'\\n'",
    message: 'given',
  },
  { expression: 'variables.two / variables.size > 0', messageExpression: '1 / 0 == 1 ? "a" : "b"' },
  { expression: "object.metadata.managedFields.all(f, f.manager != 'b')", reason: 'Invalid' },
  { expression: "authorizer.requestResource.check('escalate').allowed() == false" },
  {
    expression: "authorizer.path('/healthz').check('get').reason() == 'x'",
    messageExpression: "authorizer.path('/healthz').check('get').reason()",
  },
  { expression: "has(request.options) && (request.operation == 'CONNECT' || request.options.kind.size() > 0)" },
];
const VARIABLES: Value = [
  { name: 'size', expression: 'has(object.data) ? object.data.size() : 0' },
  { name: 'two', expression: 'variables.size + 1' },
];
export const RULES: readonly ObjectMap[] = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['configmaps'] },
  { apiGroups: [''], apiVersions: ['*'], operations: ['*'], resources: ['configmaps', 'secrets', 'pods', 'pods/*'] },
  {
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['deployments', 'deployments/scale', 'deployments/status'],
  },
  { apiGroups: ['*'], apiVersions: ['*'], operations: ['UPDATE'], resources: ['*'], scope: 'Namespaced' },
  {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CONNECT', 'DELETE'],
    resources: ['pods', 'pods/exec'],
    resourceNames: ['o0'],
  },
  { apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'], resources: ['horizontalpodautoscalers'] },
  {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['pods/eviction', 'pods/binding', 'serviceaccounts/token'],
  },
];
export const CONDITIONS: readonly ObjectMap[] = [
  { name: 'not-bob', expression: "request.userInfo.username != 'bob'" },
  { name: 'l', expression: "object == null || (has(object.metadata.labels) && object.metadata.labels.l != 'c')" },
  { name: 'fails', expression: "object.nothing == 'x'" },
];
const MUTATIONS: readonly ObjectMap[] = [
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"m": "x"}}}' },
  },
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: {
      expression:
        'Object{metadata: Object.metadata{annotations: {"n": object.metadata.name + string(variables.size)}}}',
    },
  },
  {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: "y"}]',
    },
  },
  {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression:
        "has(object.data) ? [JSONPatch{op: 'test', path: '/data'}, JSONPatch{op: 'remove', path: '/data'}] : []",
    },
  },
  {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: "[JSONPatch{op: 'replace', path: '/metadata/labels/l', value: object.metadata.labels.l + 'x'}]",
    },
  },
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{spec: Object.spec{replicas: 7}}' } },
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: {
      expression:
        "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'a', image: 'policy'}, " +
        "Object.spec.containers{name: 'added', image: 'x'}]}}",
    },
  },
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: {
      expression:
        "has(params.data.limit) ? Object{metadata: Object.metadata{labels: {'param': params.data.limit}}} : Object{}",
    },
  },
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: "Object{metadata: Object.metadata{finalizers: ['policy.example.com/f']}}" },
  },
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: "Object{data: {'k': b'x'}}" },
  },
  {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: "[JSONPatch{op: 'copy', from: '/metadata/labels', path: '/metadata/annotations'}]",
    },
  },
  {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: "[JSONPatch{op: 'move', from: '/metadata/labels/l', path: '/metadata/labels/moved'}]",
    },
  },
  {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': string(variables.two)}}]",
    },
  },
];

/** Policies of chance that look at one namespace only, with what binds them and what they are told by. */
export function policiesOf(
  namespace: string,
  values: Values,
): readonly { readonly path: string; readonly body: ObjectMap }[] {
  const root = '/apis/admissionregistration.k8s.io/v1';
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const here: Value = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const labels: Value = { story: namespace };
  const made: { path: string; body: ObjectMap }[] = [
    {
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      body: { metadata: { name: 'p0', labels: { param: 'yes' } }, data: { limit: 'x' } },
    },
    {
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      body: { metadata: { name: 'p1', labels: { param: 'yes' } }, data: {} },
    },
  ];
  for (let i = 1 + values.below(3); i > 0; i--) {
    const isMutating = values.chance(0.35);
    const kind = isMutating ? 'MutatingAdmissionPolicy' : 'ValidatingAdmissionPolicy';
    const plural = isMutating ? 'mutatingadmissionpolicies' : 'validatingadmissionpolicies';
    const name = `${namespace}-p${i}`;
    const some = <T>(all: readonly T[], most: number): T[] =>
      Array.from({ length: 1 + values.below(most) }, () => values.pick(all)).filter(
        (of, at, list) => list.indexOf(of) === at,
      );
    const hasParams = values.chance(0.35);
    const body: ObjectMap = {
      apiVersion,
      kind,
      metadata: { name, labels },
      spec: {
        ...(values.chance(0.5) ? { failurePolicy: values.pick(['Fail', 'Ignore']) } : {}),
        ...(hasParams ? { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } : {}),
        matchConstraints: {
          namespaceSelector: here,
          resourceRules: some(RULES, 2),
          ...(values.chance(0.3)
            ? { objectSelector: { matchExpressions: [{ key: 'l', operator: 'NotIn', values: ['b'] }] } }
            : {}),
          ...(values.chance(0.2)
            ? {
                excludeResourceRules: [
                  { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] },
                ],
              }
            : {}),
          ...(values.chance(0.2) ? { matchPolicy: 'Exact' } : {}),
        },
        variables: VARIABLES,
        ...(values.chance(0.3) ? { matchConditions: some(CONDITIONS, 2) } : {}),
        ...(isMutating
          ? { mutations: some(MUTATIONS, 2), reinvocationPolicy: values.pick(['Never', 'IfNeeded']) }
          : {
              validations: some(VALIDATIONS, 3),
              ...(values.chance(0.3)
                ? { auditAnnotations: [{ key: 'k', valueExpression: 'string(variables.two)' }] }
                : {}),
            }),
      },
    };
    const binding: ObjectMap = {
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name, labels },
      spec: {
        policyName: name,
        ...(isMutating
          ? {}
          : { validationActions: values.pick([['Deny'], ['Warn'], ['Deny', 'Audit'], ['Warn', 'Audit']]) }),
        ...(hasParams && values.chance(0.85)
          ? {
              paramRef: {
                ...values.pick<ObjectMap>([
                  { name: 'p0' },
                  { name: 'none' },
                  { selector: { matchLabels: { param: 'yes' } } },
                  { selector: { matchLabels: { param: 'no' } } },
                ]),
                parameterNotFoundAction: values.pick(['Allow', 'Deny']),
                ...(values.chance(0.5) ? { namespace } : {}),
              },
            }
          : {}),
        ...(values.chance(0.2) ? { matchResources: { objectSelector: { matchLabels: { l: 'a' } } } } : {}),
      },
    };
    made.push({ path: `${root}/${plural}`, body }, { path: `${root}/${kind.toLowerCase()}bindings`, body: binding });
  }
  return made;
}
