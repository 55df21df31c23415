import {
  FieldPath,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  notSupported,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  FlowDistinguisherMethod,
  FlowSchema,
  FlowSchemaSpec,
  GroupSubject,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  UserSubject,
} from '@kubechain/apimachinery/types/flowcontrol/v1';
import { defaultFlowSchemas, mandatoryNames } from '@kubechain/apiserver/resources';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { fields, format, items, needed, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { validateConditionTypes } from '../conditions.ts';

const specPath = FieldPath.of('spec');
const maxPrecedence = 10_000;
const methods = ['ByNamespace', 'ByUser'];
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
/** Schemas that no cluster does without; what they say is fixed. */
const mandatory: ReadonlyMap<string, object> = new Map(defaultFlowSchemas.filter(([name]) => mandatoryNames.has(name)));

/** Rules of flow schemas, on every write (ValidateFlowSchema of pkg/apis/flowcontrol/validation, 1.36). */
export function validateFlowSchema({ metadata, spec, status }: FlowSchema): FieldError[] {
  const name = metadata?.name ?? '';
  const fixed = mandatory.get(name);
  const differs = fixed !== undefined && !semanticEqual(spec, fixed);
  return [
    ...validatePrecedence(spec?.matchingPrecedence ?? 0, name),
    ...specRules(spec, specPath),
    ...(differs
      ? [
          invalidValue(
            specPath,
            internalForm('flowcontrol.FlowSchemaSpec', spec),
            `spec of '${name}' must equal the fixed value`,
          ),
        ]
      : []),
    ...validateConditionTypes(status?.conditions),
  ];
}

/** Rules of the status endpoint. */
export function validateFlowSchemaStatus({ status }: FlowSchema): FieldError[] {
  return validateConditionTypes(status?.conditions);
}

function validatePrecedence(value: number, name: string): FieldError[] {
  const wrong = (message: string): FieldError => invalidValue(specPath.child('matchingPrecedence'), value, message);
  return [
    ...(value > 0 ? [] : [wrong('must be a positive value')]),
    ...(value > maxPrecedence ? [wrong(`must not be greater than ${maxPrecedence}`)] : []),
    ...(value === 1 && name !== 'exempt'
      ? [wrong("only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
  ];
}

/** Who a rule is about; the published schema's `Subject` is a union without the fields. */
interface FlowSubject {
  readonly kind?: string;
  readonly user?: UserSubject;
  readonly group?: GroupSubject;
  readonly serviceAccount?: ServiceAccountSubject;
}

const kinds = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' } as const;
/** In the order in which the reference looks for what does not belong. */
const kindOrder = ['ServiceAccount', 'User', 'Group'] as const;
const account = fields<ServiceAccountSubject>({
  name: needed((name, path) => (name === '*' ? [] : format(isDNS1123Subdomain)(name, path))),
  namespace: needed(format(isDNS1123Label), 'must specify namespace for service account'),
});
const named = fields<{ name: string }>({ name: needed() });

const subject: Rule<FlowSubject> = (value, path) => {
  const kind = kindOrder.find((candidate) => candidate === value.kind);
  if (kind === undefined) return [notSupported(path.child('kind'), value.kind ?? '', Object.keys(kinds))];
  const field = kinds[kind];
  const at = path.child(field);
  const own =
    value[field] === undefined
      ? [required(at, `${field} is required when subject kind is '${kind}'`)]
      : kind === 'ServiceAccount'
        ? account(value.serviceAccount, at)
        : named(value[field], at);
  const others = kindOrder.filter((other) => other !== kind && value[kinds[other]] !== undefined);
  return [
    ...own,
    ...others.map((other) =>
      forbiddenValue(path.child(kinds[other]), `${kinds[other]} is forbidden when subject kind is not '${other}'`),
    ),
  ];
};

/** Stored objects have null for lists without entries. */
type List = readonly string[] | null | undefined;

const verbList: Rule<List> = (given, path) => {
  const list = given ?? [];
  if (list.length === 0) return [required(path, 'verbs must contain at least one value')];
  if (list.includes('*')) return aloneIfAll(list, path, 'verbs');
  return list.every((verb) => verbs.includes(verb)) ? [] : [notSupported(path, list, verbs)];
};

function aloneIfAll(list: readonly string[], path: FieldPath, what: string): FieldError[] {
  return list.length > 1 && list.includes('*')
    ? [invalidValue(path, list, `if '*' is present, must not specify other ${what}`)]
    : [];
}

function someOf(emptyMessage: string, what: string): Rule<List> {
  return (given, path) => {
    const list = given ?? [];
    return list.length === 0 ? [required(path, emptyMessage)] : aloneIfAll(list, path, what);
  };
}

const resourceRule: Rule<ResourcePolicyRule> = (rule, path) => [
  ...fields<ResourcePolicyRule>({
    verbs: verbList,
    apiGroups: someOf('resource rules must supply at least one api group', 'api groups'),
    resources: someOf('resource rules must supply at least one resource', 'resources'),
  })(rule, path),
  ...validateNamespaces(rule, path.child('namespaces')),
];

function validateNamespaces(rule: ResourcePolicyRule, path: FieldPath): FieldError[] {
  const { clusterScope } = rule;
  const namespaces = (rule.namespaces as List) ?? [];
  if (namespaces.length === 0)
    return clusterScope === true
      ? []
      : [required(path, 'resource rules that are not cluster scoped must supply at least one namespace')];
  if (namespaces.includes('*')) return aloneIfAll(namespaces, path, 'namespaces');
  return namespaces.flatMap((name, i) =>
    isDNS1123Label(name).map((message) =>
      invalidValue(path.index(i), name, `each member of this list must be '*' or a DNS-1123 label; ${message}`),
    ),
  );
}

const nonResourceRule = fields<NonResourcePolicyRule>({
  verbs: verbList,
  nonResourceURLs: (given, path) => {
    const list = (given as List) ?? [];
    if (list.length === 0) return [required(path, 'nonResourceURLs must contain at least one value')];
    return list.includes('*') ? aloneIfAll(list, path, 'non-resource URLs') : items(urlPath)(list, path);
  },
});

/** A path of the server; `*` may stand for all that follows a slash. */
function urlPath(text: string, path: FieldPath): FieldError[] {
  const message =
    text === ''
      ? 'must not be empty'
      : text === '/'
        ? undefined
        : !text.startsWith('/')
          ? 'must start with slash'
          : text.includes(' ')
            ? 'must not contain white-space'
            : text.includes('//')
              ? 'must not contain double slash'
              : /^[^*]*(\/\*)?$/u.test(text)
                ? undefined
                : 'wildcard can only do suffix matching';
  return message === undefined ? [] : [invalidValue(path, text, message)];
}

const rule: Rule<PolicyRulesWithSubjects> = (value, path) => {
  const subjects = path.child('subjects');
  const nothing = (value.resourceRules?.length ?? 0) === 0 && (value.nonResourceRules?.length ?? 0) === 0;
  return [
    ...((value.subjects?.length ?? 0) === 0
      ? [required(subjects, 'subjects must contain at least one value')]
      : items(subject)(value.subjects as unknown as readonly FlowSubject[], subjects)),
    ...(nothing ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')] : []),
    ...items(resourceRule)(value.resourceRules, path.child('resourceRules')),
    ...items<NonResourcePolicyRule>(nonResourceRule)(value.nonResourceRules, path.child('nonResourceRules')),
  ];
};

const method: Rule<FlowDistinguisherMethod> = (value, path) =>
  methods.includes(value.type)
    ? []
    : [notSupported(path.child('type'), internalForm('flowcontrol.FlowDistinguisherMethod', value), methods)];

const specRules = fields<FlowSchemaSpec>({
  distinguisherMethod: present(method),
  priorityLevelConfiguration: fields<FlowSchemaSpec['priorityLevelConfiguration']>({
    name: needed(format(isDNS1123Subdomain), 'must reference a priority level'),
  }),
  rules: items(rule),
});
