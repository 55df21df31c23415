import { goQuote } from '@kubechain/apimachinery';
import type { UserInfo } from '../../request/user-info.ts';
import { serviceAccountUsername } from '../../authentication/service-account/username.ts';
import type { AuthorizationResult } from '../authorizer.ts';
import type { RoleBindingObject, RoleRef } from './rbac-objects.ts';

/** A binding prepared for evaluation. */
export interface CompiledBinding {
  readonly name: string;
  /** '' for ClusterRoleBindings. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly CompiledSubject[];
}

/**
 * One subject that a binding can grant to. Service accounts are users here, so that an index of users and groups is all
 * there is.
 */
export interface CompiledSubject {
  readonly kind: 'user' | 'group';
  readonly value: string;
  /** The answer when this subject is why a request is allowed, made once. */
  readonly allow: AuthorizationResult;
}

/** Reads a binding object; subjects of unknown kinds grant nothing. */
export function compileBinding(object: RoleBindingObject): CompiledBinding {
  const name = object.metadata.name ?? '';
  const namespace = object.metadata.namespace ?? '';
  const subjects: CompiledSubject[] = [];
  for (const subject of object.subjects ?? []) {
    const { kind } = subject;
    const subjectNamespace =
      subject.namespace !== undefined && subject.namespace !== '' ? subject.namespace : namespace;
    if (kind === 'User' || kind === 'Group') {
      subjects.push({
        kind: kind === 'User' ? 'user' : 'group',
        value: subject.name,
        allow: allowedBy(object, `${kind} ${goQuote(subject.name)}`),
      });
    } else if (kind === 'ServiceAccount' && subjectNamespace !== '') {
      subjects.push({
        kind: 'user',
        value: serviceAccountUsername(subjectNamespace, subject.name),
        allow: allowedBy(object, `${kind} ${goQuote(`${subject.name}/${subjectNamespace}`)}`),
      });
    }
  }
  return { name, namespace, roleRef: object.roleRef, subjects };
}

function allowedBy(binding: RoleBindingObject, subject: string): AuthorizationResult {
  const { name = '', namespace = '' } = binding.metadata;
  const source =
    namespace === '' ? `ClusterRoleBinding ${goQuote(name)}` : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  return {
    decision: 'Allow',
    reason: `RBAC: allowed by ${source} of ${binding.roleRef.kind} ${goQuote(binding.roleRef.name)} to ${subject}`,
  };
}

/** The first subject of a binding that is the user or one of their groups. */
export function applyingSubject(binding: CompiledBinding, user: UserInfo): CompiledSubject | undefined {
  return binding.subjects.find(({ kind, value }) =>
    kind === 'user' ? value === user.name : user.groups.includes(value),
  );
}

const NONE: ReadonlySet<CompiledBinding> = new Set();

/** Bindings by who they are for: evaluation looks only at the caller's own, however many there are. */
export class SubjectIndex {
  readonly #users = new Map<string, Set<CompiledBinding>>();
  readonly #groups = new Map<string, Set<CompiledBinding>>();

  add(binding: CompiledBinding): void {
    for (const { kind, value } of binding.subjects) {
      const index = kind === 'user' ? this.#users : this.#groups;
      const bindings = index.get(value);
      if (bindings === undefined) index.set(value, new Set([binding]));
      else bindings.add(binding);
    }
  }

  remove(binding: CompiledBinding): void {
    for (const { kind, value } of binding.subjects) {
      const index = kind === 'user' ? this.#users : this.#groups;
      const bindings = index.get(value);
      if (bindings?.delete(binding) === true && bindings.size === 0) index.delete(value);
    }
  }

  forUser(name: string): ReadonlySet<CompiledBinding> {
    return this.#users.get(name) ?? NONE;
  }

  forGroup(name: string): ReadonlySet<CompiledBinding> {
    return this.#groups.get(name) ?? NONE;
  }

  /** All bindings for a user, each once, by name. */
  for(user: UserInfo): CompiledBinding[] {
    const found = new Set(this.forUser(user.name));
    for (const group of user.groups) for (const binding of this.forGroup(group)) found.add(binding);
    return [...found].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
