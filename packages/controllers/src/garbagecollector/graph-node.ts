import type { OwnerReference } from '@kubechain/apimachinery';

/** So many are looked through as quickly as a map of them is made. */
const FEW_OWNERS = 8;

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

const none: ReadonlySet<GraphNode> = new Set();

/** One object of the dependency graph. */
export class GraphNode {
  identity: Identity;
  /** Of the identity that it was made with, by which it takes its turns. */
  readonly namespace: string;
  /** Known only from a reference: no informer has shown it yet. */
  virtual: boolean;
  beingDeleted = false;
  /** Waits for its dependents (foreground deletion). */
  deletingDependents = false;
  #owners: readonly OwnerReference[];
  // Most objects own nothing.
  #dependents: Set<GraphNode> | undefined;
  #blockingDependents: Set<GraphNode> | undefined;
  /** Where there are many owners, references by uid once they are asked for. */
  #ownersByUid: Map<string, OwnerReference[]> | undefined;

  constructor(
    identity: Identity,
    options: { readonly owners?: readonly OwnerReference[]; readonly virtual?: boolean } = {},
  ) {
    this.identity = identity;
    this.namespace = identity.namespace;
    this.#owners = options.owners ?? [];
    this.virtual = options.virtual ?? false;
  }

  get owners(): readonly OwnerReference[] {
    return this.#owners;
  }

  set owners(owners: readonly OwnerReference[]) {
    this.#owners = owners;
    this.#ownersByUid = undefined;
  }

  /** Objects that name this one as an owner. */
  get dependents(): ReadonlySet<GraphNode> {
    return this.#dependents ?? none;
  }

  /** Those of them that must be gone before this one may be. */
  get blockingDependents(): ReadonlySet<GraphNode> {
    return this.#blockingDependents ?? none;
  }

  /** References to a uid, of which there may be several. Of thousands of owners each may be asked for. */
  referencesTo(uid: string): readonly OwnerReference[] {
    if (this.#owners.length <= FEW_OWNERS) return this.#owners.filter((owner) => owner.uid === uid);
    this.#ownersByUid ??= Map.groupBy(this.#owners, (owner) => owner.uid);
    return this.#ownersByUid.get(uid) ?? [];
  }

  addDependent(dependent: GraphNode): void {
    (this.#dependents ??= new Set()).add(dependent);
  }

  /** Whether a dependent must be gone first. */
  setBlocking(dependent: GraphNode, blocking: boolean): void {
    if (blocking) (this.#blockingDependents ??= new Set()).add(dependent);
    else this.#blockingDependents?.delete(dependent);
  }

  deleteDependent(dependent: GraphNode): void {
    this.#dependents?.delete(dependent);
    this.#blockingDependents?.delete(dependent);
  }
}
