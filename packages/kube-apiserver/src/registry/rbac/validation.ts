import {
  append,
  FieldPath,
  invalidValue,
  isPathSegmentName,
  nameIsDNSSubdomain,
  notSupported,
  required,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, LabelSelectorRules, NameValidator, ReleaseAge } from '@kubechain/apimachinery';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from '@kubechain/apimachinery/types/rbac/v1';
import { keptSelectorRules } from '../validation/kept-selectors.ts';
import type { Rules } from '../validation/validate.ts';

const rbacGroup = 'rbac.authorization.k8s.io';
const root = (field: string): FieldPath => FieldPath.of(field);

/** Names of roles and bindings: a prefix of one must be a whole one as well. */
export const isRBACName: NameValidator = (name) => isPathSegmentName(name);

/** Rules of roles (pkg/apis/rbac/validation, 1.36). */
export const roleRules: Rules<Role> = {
  create: (role) => policyRules(role.rules, true),
  update: (role) => policyRules(role.rules, true),
};

/** Rules of cluster roles. */
export const clusterRoleRules: Rules<ClusterRole> = {
  create: (role) => validateClusterRole(role),
  update: (role, old) => validateClusterRole(role, keptSelectorRules(old.aggregationRule?.clusterRoleSelectors ?? [])),
};

/** Until 1.34, a mistake in a role was told twice of an update (pkg/registry/rbac/role/strategy.go). */
export const tellingRoles = <T>(rules: Rules<T>, release: ReleaseAge): Rules<T> =>
  release.since('1.35')
    ? rules
    : {
        ...rules,
        update: (object, old, context) => {
          const errors = rules.update?.(object, old, context) ?? [];
          return [...errors, ...errors];
        },
      };

/** Rules of bindings in a namespace. */
export const roleBindingRules = (release?: ReleaseAge): Rules<RoleBinding> =>
  bindingRules({ namespaced: true, roleKinds: ['Role', 'ClusterRole'] }, release?.since('1.37') === true);
/** Rules of bindings for the whole cluster. */
export const clusterRoleBindingRules = (release?: ReleaseAge): Rules<ClusterRoleBinding> =>
  bindingRules({ namespaced: false, roleKinds: ['ClusterRole'] }, release?.since('1.37') === true);

function validateClusterRole(role: ClusterRole, selectorRules?: LabelSelectorRules): FieldError[] {
  const errors = policyRules(role.rules, false);
  if (role.aggregationRule === undefined) return errors;
  const path = root('aggregationRule').child('clusterRoleSelectors');
  const selectors = role.aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0)
    errors.push(required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  selectors.forEach((selector, i) => {
    const wrong = validateLabelSelector(selector, path.index(i), selectorRules);
    append(errors, wrong);
    // The reference prints the selector it could not make.
    if (wrong.length > 0) errors.push(invalidValue(path.index(i), null, 'invalid label selector.'));
  });
  return errors;
}

function policyRules(rules: readonly PolicyRule[] | null | undefined, namespaced: boolean): FieldError[] {
  return (rules ?? []).flatMap((rule, i) => validatePolicyRule(rule, namespaced, root('rules').index(i)));
}

function validatePolicyRule(rule: PolicyRule, namespaced: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { verbs, nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  if ((verbs ?? []).length === 0) errors.push(required(path.child('verbs'), 'verbs must contain at least one value'));
  if (nonResourceURLs.length > 0) {
    const urls = path.child('nonResourceURLs');
    if (namespaced)
      errors.push(invalidValue(urls, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
    if (apiGroups.length + resources.length + resourceNames.length > 0)
      errors.push(
        invalidValue(urls, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'),
      );
    return errors;
  }
  if (apiGroups.length === 0)
    errors.push(required(path.child('apiGroups'), 'resource rules must supply at least one api group'));
  if (resources.length === 0)
    errors.push(required(path.child('resources'), 'resource rules must supply at least one resource'));
  return errors;
}

/** Texts that Go has as such, not as a type of their own. */
const plain = { plain: true } as const;

interface BindingKind {
  readonly namespaced: boolean;
  readonly roleKinds: readonly string[];
}
type Binding = RoleBinding | ClusterRoleBinding;

function bindingRules(kind: BindingKind, isNew: boolean): Rules<Binding> {
  const validate = ({ roleRef, subjects }: Binding): FieldError[] => [
    ...validateRoleRef(roleRef, kind.roleKinds),
    ...(subjects ?? []).flatMap((subject, i) => validateSubject(subject, kind.namespaced, root('subjects').index(i))),
  ];
  return {
    create: validate,
    update: validate,
    change: (binding, old) => sameRole(binding.roleRef, old.roleRef, isNew),
  };
}

function validateRoleRef(
  { apiGroup, kind = '', name = '' }: Partial<RoleRef> = {},
  kinds: readonly string[],
): FieldError[] {
  const path = root('roleRef');
  const errors: FieldError[] = [];
  if (apiGroup !== rbacGroup) errors.push(notSupported(path.child('apiGroup'), apiGroup, [rbacGroup], plain));
  if (!kinds.includes(kind)) errors.push(notSupported(path.child('kind'), kind, kinds, plain));
  if (name === '') errors.push(required(path.child('name')));
  else for (const message of isPathSegmentName(name)) errors.push(invalidValue(path.child('name'), name, message));
  return errors;
}

/** A binding stays with its role: who may change subjects might not be allowed to grant another one. */
function sameRole(
  { apiGroup = '', kind = '', name = '' }: Partial<RoleRef> = {},
  old: Partial<RoleRef> | undefined,
  isNew: boolean,
): FieldError[] {
  old ??= {};
  if (apiGroup === (old.apiGroup ?? '') && kind === (old.kind ?? '') && name === (old.name ?? '')) return [];
  // Printed under the names of Go's fields.
  return [
    invalidValue(
      root('roleRef'),
      { APIGroup: apiGroup, Kind: kind, Name: name },
      isNew ? 'field is immutable' : 'cannot change roleRef',
    ),
  ];
}

function validateSubject(
  { kind = '', name = '', apiGroup = '', namespace = '' }: Partial<Subject>,
  namespaced: boolean,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(path.child('name')));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '')
        for (const message of nameIsDNSSubdomain(name, false))
          errors.push(invalidValue(path.child('name'), name, message));
      if (apiGroup !== '') errors.push(notSupported(path.child('apiGroup'), apiGroup, [''], plain));
      if (!namespaced && namespace === '') errors.push(required(path.child('namespace')));
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) errors.push(notSupported(path.child('apiGroup'), apiGroup, [rbacGroup], plain));
      break;
    default:
      errors.push(notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group'], plain));
  }
  return errors;
}
