import type { OwnerReference } from '@kubechain/apimachinery';

/** Which object a node stands for. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** As the reference prints it in events and logs. */
export function identityText({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}

/** The same object by every coordinate. */
export function sameIdentity(a: Identity, b: Identity): boolean {
  return a.namespace === b.namespace && matchesCoordinates(a, b);
}

/** Whether a reference names this object, whatever the namespace. */
export function matchesCoordinates(
  reference: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>,
  identity: Identity,
): boolean {
  return (
    reference.uid === identity.uid &&
    reference.name === identity.name &&
    reference.kind === identity.kind &&
    reference.apiVersion === identity.apiVersion
  );
}

/** One object of the dependency graph. */
export class GraphNode {
  identity: Identity;
  /** Of the identity that it was made with, by which it takes its turns. */
  readonly namespace: string;
  owners: readonly OwnerReference[];
  /** Objects that name this one as an owner, by uid. */
  readonly dependents = new Set<GraphNode>();
  /** Known only from a reference: no informer has shown it yet. */
  virtual: boolean;
  beingDeleted = false;
  /** Waits for its dependents (foreground deletion). */
  deletingDependents = false;

  constructor(
    identity: Identity,
    options: { readonly owners?: readonly OwnerReference[]; readonly virtual?: boolean } = {},
  ) {
    this.identity = identity;
    this.namespace = identity.namespace;
    this.owners = options.owners ?? [];
    this.virtual = options.virtual ?? false;
  }

  /** Dependents that must be gone before this one may be. */
  blockingDependents(): GraphNode[] {
    return [...this.dependents].filter((dependent) =>
      dependent.owners.some(({ uid, blockOwnerDeletion }) => uid === this.identity.uid && blockOwnerDeletion === true),
    );
  }
}
