import { append, goQuote } from '@kubechain/apimachinery';
import type { UserInfo } from '../../request/user-info.ts';
import type { PolicyRule, RoleObject, RoleRef } from './rbac-objects.ts';
import { SubjectIndex, type CompiledBinding } from './subject-index.ts';

const NO_RULES: readonly PolicyRule[] = [];

/** Why a role's rules cannot be had; its message is what the reference's listers say. */
export interface MissingRole {
  readonly missing: string;
}

/** A user's rules, cluster-wide ones first, and what could not be resolved. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

/**
 * All roles and bindings, indexed so that a decision needs no search and no waiting. Fed by informers while the server
 * runs (`followRoles`) or from lists. Knows nothing of storage.
 */
export class RoleStore {
  readonly #clusterRoles = new Map<string, readonly PolicyRule[]>();
  /** `namespace/name` → rules. */
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #clusterBindings = new Map<string, CompiledBinding>();
  readonly #bindings = new Map<string, CompiledBinding>();
  readonly #clusterIndex = new SubjectIndex();
  readonly #namespaceIndexes = new Map<string, SubjectIndex>();

  setClusterRole(name: string, role: Pick<RoleObject, 'rules'>): void {
    this.#clusterRoles.set(name, role.rules ?? NO_RULES);
  }

  deleteClusterRole(name: string): void {
    this.#clusterRoles.delete(name);
  }

  /** `key` is `namespace/name`. */
  setRole(key: string, role: Pick<RoleObject, 'rules'>): void {
    this.#roles.set(key, role.rules ?? NO_RULES);
  }

  deleteRole(key: string): void {
    this.#roles.delete(key);
  }

  setClusterRoleBinding(name: string, binding: CompiledBinding): void {
    this.deleteClusterRoleBinding(name);
    this.#clusterBindings.set(name, binding);
    this.#clusterIndex.add(binding);
  }

  deleteClusterRoleBinding(name: string): void {
    const binding = this.#clusterBindings.get(name);
    if (binding === undefined) return;
    this.#clusterBindings.delete(name);
    this.#clusterIndex.remove(binding);
  }

  setRoleBinding(key: string, binding: CompiledBinding): void {
    this.deleteRoleBinding(key);
    this.#bindings.set(key, binding);
    let index = this.#namespaceIndexes.get(binding.namespace);
    if (index === undefined) this.#namespaceIndexes.set(binding.namespace, (index = new SubjectIndex()));
    index.add(binding);
  }

  deleteRoleBinding(key: string): void {
    const binding = this.#bindings.get(key);
    if (binding === undefined) return;
    this.#bindings.delete(key);
    this.#namespaceIndexes.get(binding.namespace)?.remove(binding);
  }

  get clusterIndex(): SubjectIndex {
    return this.#clusterIndex;
  }

  namespaceIndex(namespace: string): SubjectIndex | undefined {
    return this.#namespaceIndexes.get(namespace);
  }

  /** The rules that a binding in `namespace` ('' = cluster-wide) refers to. */
  roleReferenceRules({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | MissingRole {
    switch (kind) {
      case 'ClusterRole':
        return (
          this.#clusterRoles.get(name) ?? {
            missing: `clusterrole.rbac.authorization.k8s.io ${goQuote(name)} not found`,
          }
        );
      case 'Role':
        return (
          this.#roles.get(`${namespace}/${name}`) ?? {
            missing: `role.rbac.authorization.k8s.io ${goQuote(name)} not found`,
          }
        );
      default:
        return { missing: `unsupported role reference kind: ${goQuote(kind)}` };
    }
  }

  /**
   * Everything a user may do in a namespace ('' = only what is granted cluster-wide). Source:
   * pkg/registry/rbac/validation RulesFor.
   */
  policyRulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    const collect = (bindings: readonly CompiledBinding[], bindingNamespace: string): void => {
      for (const { roleRef } of bindings) {
        const found = this.roleReferenceRules(roleRef, bindingNamespace);
        if ('missing' in found) errors.push(found.missing);
        else append(rules, found);
      }
    };
    collect(this.#clusterIndex.for(user), '');
    if (namespace !== '') collect(this.#namespaceIndexes.get(namespace)?.for(user) ?? [], namespace);
    return { rules, errors };
  }
}
