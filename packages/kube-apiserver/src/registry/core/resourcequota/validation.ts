import { FieldPath, invalidValue, required, printed, textByPointer } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from '@kubechain/apimachinery/types/core/v1';
import { internalForm } from '../../validation/internal-form.ts';
import type { ResourceList } from '../resource-list.ts';
import { isQuotaResource, validateQuotaResourceName, validateResourceAmount } from '../resource-name.ts';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const scopesPath = specPath.child('scopes');
const selectorPath = specPath.child('scopeSelector', 'matchExpressions');

const podResources: ReadonlySet<string> = new Set([
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]);
/** Each scope, and which of the resources that quotas know it goes with. */
const resourcesByScope: ReadonlyMap<string, ReadonlySet<string>> = new Map<string, ReadonlySet<string>>([
  ['Terminating', podResources],
  ['NotTerminating', podResources],
  ['NotBestEffort', podResources],
  ['PriorityClass', podResources],
  ['CrossNamespacePodAffinity', podResources],
  ['BestEffort', new Set(['pods'])],
  ['VolumeAttributesClass', new Set(['persistentvolumeclaims', 'requests.storage'])],
]);
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
const existsOnly: ReadonlySet<string> = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);

/** Rules of new quotas (ValidateResourceQuota of pkg/apis/core/validation, 1.36). Resources are looked at by name. */
export function validateResourceQuota({ spec = {}, status }: ResourceQuota): FieldError[] {
  return [...validateSpec(spec), ...validateStatus(status)];
}

/** Rules of an update: what a quota is about stays. */
export function validateResourceQuotaUpdate({ spec = {} }: ResourceQuota, old: ResourceQuota): FieldError[] {
  const scopes = new Set(spec.scopes);
  const same = scopes.symmetricDifference(new Set(old.spec?.scopes)).size === 0;
  return [
    ...validateSpec(spec),
    ...(same ? [] : [invalidValue(scopesPath, printed(spec, 'scopes'), 'field is immutable')]),
  ];
}

/** Rules of the status endpoint. */
export function validateResourceQuotaStatus({ status }: ResourceQuota): FieldError[] {
  return validateStatus(status);
}

function validateStatus(status: ResourceQuota['status']): FieldError[] {
  return [
    ...validateAmounts(status?.hard, statusPath.child('hard')),
    ...validateAmounts(status?.used, statusPath.child('used')),
  ];
}

function validateSpec(spec: ResourceQuotaSpec): FieldError[] {
  return [...validateAmounts(spec.hard, specPath.child('hard')), ...validateScopes(spec), ...validateSelector(spec)];
}

function validateAmounts(list: ResourceList | undefined, path: FieldPath): FieldError[] {
  return Object.keys(list ?? {})
    .sort()
    .flatMap((name) => [
      ...validateQuotaResourceName(name, path.key(name)),
      ...validateResourceAmount(name, list?.[name] ?? '0', path.key(name)),
    ]);
}

function validateScopes(spec: ResourceQuotaSpec): FieldError[] {
  const scopes = spec.scopes ?? [];
  const wrong = (message: string): FieldError => invalidValue(scopesPath, scopes, message);
  return [
    ...scopes.flatMap((scope) => [
      ...(resourcesByScope.has(scope) ? [] : [wrong('unsupported scope')]),
      ...outside(scope, spec).map(() => wrong('unsupported scope applied to resource')),
    ]),
    ...conflicts(scopes).map(() => wrong('conflicting scopes')),
  ];
}

function validateSelector(spec: ResourceQuotaSpec): FieldError[] {
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  return [
    ...requirements.flatMap((requirement) => [
      ...(resourcesByScope.has(requirement.scopeName)
        ? []
        : [invalidValue(selectorPath.child('scopeName'), requirement.scopeName || '', 'unsupported scope')]),
      ...outside(requirement.scopeName, spec).map(() =>
        invalidValue(
          selectorPath,
          internalForm('core.ScopeSelector', spec.scopeSelector),
          'unsupported scope applied to resource',
        ),
      ),
      ...validateOperator(requirement),
    ]),
    ...conflicts(requirements.map(({ scopeName }) => scopeName)).map(() =>
      invalidValue(selectorPath, spec.scopes ?? null, 'conflicting scopes'),
    ),
  ];
}

function validateOperator({ scopeName, values = [], ...rest }: ScopedResourceSelectorRequirement): FieldError[] {
  // What was left out is empty in Go.
  const { operator = '' } = rest as { readonly operator?: string };
  const errors: FieldError[] = [];
  if (existsOnly.has(scopeName) && operator !== 'Exists') {
    errors.push(
      invalidValue(
        selectorPath.child('operator'),
        textByPointer(operator),
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, " +
          'ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ' +
          'ResourceQuotaScopeCrossNamespacePodAffinity',
      ),
    );
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0)
        errors.push(
          required(
            selectorPath.child('values'),
            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
          ),
        );
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0)
        errors.push(
          invalidValue(
            selectorPath.child('values'),
            values,
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
          ),
        );
      break;
    default:
      errors.push(
        invalidValue(selectorPath.child('operator'), textByPointer(operator), 'not a valid selector operator'),
      );
  }
  return errors;
}

/** Limited resources that a scope does not go with. */
function outside(scope: string, { hard = {} }: ResourceQuotaSpec): string[] {
  const resources = resourcesByScope.get(scope);
  return resources === undefined
    ? []
    : Object.keys(hard).filter((name) => isQuotaResource(name) && !resources.has(name));
}

function conflicts(scopes: readonly string[]): readonly unknown[] {
  return opposites.filter((pair) => pair.every((scope) => scopes.includes(scope)));
}
