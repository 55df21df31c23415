import { foregroundFinalizer, orphanFinalizer } from '@kubechain/apimachinery';
import type { ObjectMeta, OwnerReference } from '@kubechain/apimachinery';
import { equalJSON, type JSONValue } from '@kubechain/apimachinery';
import { LRUMap } from '@kubechain/apimachinery';
import type { WorkQueue } from '@kubechain/shared-storage/work-queue';
import { GraphNode, identityText, matchesCoordinates, sameIdentity, type Identity } from './graph-node.ts';
import { alternateOwner, partitionDependents } from './owner-identities.ts';

export interface DependencyGraphOptions {
  readonly attemptToDelete: WorkQueue<GraphNode>;
  readonly attemptToOrphan: WorkQueue<GraphNode>;
  /** A dependent names an owner of another namespace. */
  readonly onInvalidNamespace: (dependent: GraphNode, reference: OwnerReference) => void;
}

/** What an informer shows of an object. */
export interface Observation {
  readonly identity: Identity;
  readonly metadata: ObjectMeta;
  readonly previous?: ObjectMeta | undefined;
}

/** Owners that were found absent; as many as the reference remembers. */
const ABSENT_OWNERS = 500;

/**
 * Who owns whom, as informers tell it (pkg/controller/garbagecollector/graph_builder.go). Owners that no informer has
 * shown are virtual nodes until they are seen, or found absent. Changes decide what is queued to be deleted or
 * orphaned. An owner that waits for its dependents is queued again when nothing blocks it any more, and not, as in the
 * reference, for each of them that goes: it would look at all that are left, so many times.
 */
export class DependencyGraph {
  readonly #options: DependencyGraphOptions;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #absent = new LRUMap<string, true>(ABSENT_OWNERS);

  constructor(options: DependencyGraphOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  isAbsent(identity: Identity): boolean {
    return this.#absent.get(identityText(identity)) === true;
  }

  noteAbsent(identity: Identity): void {
    this.#absent.set(identityText(identity), true);
  }

  /** An object was added or changed. */
  observed({ identity, metadata, previous }: Observation): void {
    const owners = metadata.ownerReferences ?? [];
    const known = this.#nodes.get(identity.uid);
    if (known === undefined) {
      const node = new GraphNode(identity, { owners });
      node.beingDeleted = isDeleted(metadata);
      node.deletingDependents = node.beingDeleted && has(metadata, foregroundFinalizer);
      this.#nodes.set(identity.uid, node);
      this.#addToOwners(node, owners);
      this.#noteBlocking(node);
      this.#transitions(node, metadata, previous);
      return;
    }
    if (known.virtual) this.#seen(known, identity);
    const { added, removed, changed } = differences(known.owners, owners);
    if (added.length + removed.length + changed.length > 0) {
      known.owners = owners;
      for (const { uid } of removed) this.#nodes.get(uid)?.deleteDependent(known);
      this.#addToOwners(known, added);
      this.#noteBlocking(known);
      this.#queueUnblocked(removed, changed);
    }
    if (isDeleted(metadata)) known.beingDeleted = true;
    this.#transitions(known, metadata, previous);
  }

  /** An informer has seen an object go. */
  deleted(identity: Identity): void {
    const known = this.#nodes.get(identity.uid);
    if (known === undefined) return;
    if (known.virtual) this.#seen(known, identity);
    this.#remove(known, identity);
  }

  /** An object that somebody named was asked for and is not there. */
  foundAbsent(identity: Identity): void {
    const known = this.#nodes.get(identity.uid);
    if (known === undefined) return;
    const { attemptToDelete } = this.#options;
    if (known.virtual) {
      const { matching, others } = partitionDependents(known.dependents, identity);
      if (others.length === 0) return this.#remove(known, identity);
      if (matching.length > 0) {
        this.noteAbsent(identity);
        for (const dependent of matching) attemptToDelete.add(dependent);
      }
      if (!sameIdentity(known.identity, identity)) return;
      // Others say that this uid is something else: that is asked for next.
      const alternate = alternateOwner(others, identity);
      if (alternate === undefined) return;
      known.identity = alternate;
      attemptToDelete.addRateLimited(known);
      return;
    }
    if (sameIdentity(known.identity, identity)) return this.#remove(known, identity);
    // The object is there under other coordinates; only those who named the wrong ones are concerned.
    const { matching } = partitionDependents(known.dependents, identity);
    if (matching.length === 0) return;
    this.noteAbsent(identity);
    for (const dependent of matching) attemptToDelete.add(dependent);
  }

  /** A virtual node turns out to be a real object. */
  #seen(node: GraphNode, identity: Identity): void {
    if (!sameIdentity(node.identity, identity)) {
      for (const dependent of partitionDependents(node.dependents, identity).others) {
        if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace)
          this.#reportInvalidNamespace(dependent, identity.uid);
        this.#options.attemptToDelete.add(dependent);
      }
      node.identity = identity;
    }
    node.virtual = false;
  }

  #remove(node: GraphNode, identity: Identity): void {
    const { attemptToDelete } = this.#options;
    this.#nodes.delete(node.identity.uid);
    for (const { uid } of node.owners) this.#nodes.get(uid)?.deleteDependent(node);
    if (node.dependents.size > 0) this.noteAbsent(identity);
    for (const dependent of node.dependents) attemptToDelete.add(dependent);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.deletingDependents === true && owner.blockingDependents.size === 0) attemptToDelete.add(owner);
    }
  }

  #addToOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    let suspicious = false;
    for (const { apiVersion, kind, name, uid } of owners) {
      const owner = this.#nodes.get(uid);
      const { namespace } = node.identity;
      if (owner === undefined) {
        const virtual = new GraphNode({ apiVersion, kind, name, uid, namespace }, { virtual: true });
        virtual.addDependent(node);
        this.#nodes.set(uid, virtual);
        this.#options.attemptToDelete.add(virtual);
        continue;
      }
      owner.addDependent(node);
      // Those before it were queued when the deletion of their owner began.
      if (owner.deletingDependents) this.#options.attemptToDelete.add(node);
      if (suspicious) continue;
      const namespaced = owner.identity.namespace !== '';
      const elsewhere = owner.identity.namespace !== namespace;
      if (namespaced && elsewhere) {
        if (!owner.virtual) this.#reportInvalidNamespace(node, uid);
        suspicious = true;
      } else if (!matchesCoordinates({ apiVersion, kind, name, uid }, owner.identity)) suspicious = true;
      else if (!namespaced && elsewhere && owner.virtual) suspicious = true;
    }
    if (suspicious) this.#options.attemptToDelete.add(node);
  }

  /** Tells the owners of an object whether they wait for it; of several references to one, any may say so. */
  #noteBlocking(node: GraphNode): void {
    const blocked = new Set<string>();
    for (const { blockOwnerDeletion, uid } of node.owners) if (blockOwnerDeletion === true) blocked.add(uid);
    for (const { uid } of node.owners) this.#nodes.get(uid)?.setBlocking(node, blocked.has(uid));
  }

  #reportInvalidNamespace(dependent: GraphNode, uid: string): void {
    const [reference] = dependent.referencesTo(uid);
    if (reference !== undefined) this.#options.onInvalidNamespace(dependent, reference);
  }

  #queueUnblocked(
    removed: readonly OwnerReference[],
    changed: readonly (readonly [OwnerReference, OwnerReference])[],
  ): void {
    const unblocked = [
      ...removed.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true),
      ...changed
        .filter(([before, after]) => before.blockOwnerDeletion === true && after.blockOwnerDeletion !== true)
        .map(([, after]) => after),
    ];
    for (const { uid } of unblocked) {
      const owner = this.#nodes.get(uid);
      if (owner?.blockingDependents.size === 0) this.#options.attemptToDelete.add(owner);
    }
  }

  #transitions(node: GraphNode, metadata: ObjectMeta, previous: ObjectMeta | undefined): void {
    const { attemptToDelete, attemptToOrphan } = this.#options;
    if (begins(orphanFinalizer, metadata, previous)) {
      attemptToOrphan.add(node);
      return;
    }
    if (!begins(foregroundFinalizer, metadata, previous)) return;
    node.deletingDependents = true;
    for (const dependent of node.dependents) attemptToDelete.add(dependent);
    attemptToDelete.add(node);
  }
}

function isDeleted({ deletionTimestamp }: ObjectMeta): boolean {
  return deletionTimestamp !== undefined;
}

function has({ finalizers }: ObjectMeta, finalizer: string): boolean {
  return finalizers?.includes(finalizer) === true;
}

/** Whether the deletion with a finalizer is new. */
function begins(finalizer: string, metadata: ObjectMeta, previous: ObjectMeta | undefined): boolean {
  if (!isDeleted(metadata) || !has(metadata, finalizer)) return false;
  return previous === undefined || !isDeleted(previous) || !has(previous, finalizer);
}

function differences(before: readonly OwnerReference[], after: readonly OwnerReference[]) {
  const old = new Map(before.map((reference) => [reference.uid, reference]));
  const added: OwnerReference[] = [];
  const changed: (readonly [OwnerReference, OwnerReference])[] = [];
  for (const reference of after) {
    const known = old.get(reference.uid);
    if (known === undefined) added.push(reference);
    else if (!equalJSON(known as unknown as JSONValue, reference as unknown as JSONValue))
      changed.push([known, reference]);
    old.delete(reference.uid);
  }
  return { added, changed, removed: [...old.values()] };
}
