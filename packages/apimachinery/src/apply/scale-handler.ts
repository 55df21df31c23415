import type { ManagedFieldsEntry } from '../object/object.ts';
import { difference, fieldSetOf, hasPath } from './field-set.ts';
import type { FieldPathElements } from './field-set.ts';
import { decodeManaged, emptyManaged, encodeManaged } from './managed.ts';
import type { Managed, ManagerId, VersionedSet } from './managed.ts';

const SCALE_VERSION = 'autoscaling/v1';
const replicasInScale: FieldPathElements = ['f:spec', 'f:replicas'];

/**
 * By apiVersion of the scaled resource: the names on the way to its replicas (`['spec', 'replicas']`), or `null`
 * for a version without the scale subresource.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | null>;

/** Translates managedFields between a resource and its scale subresource (util/managedfields ScaleHandler). */
export class ScaleHandler {
  readonly #parent: readonly ManagedFieldsEntry[] | undefined;
  readonly #apiVersion: string;
  readonly #paths: ReadonlyMap<string, FieldPathElements | null>;

  /** `apiVersion` is the one in which changes by way of scale are recorded on the resource. */
  constructor(parent: readonly ManagedFieldsEntry[] | undefined, apiVersion: string, paths: ReplicasPaths) {
    this.#parent = parent;
    this.#apiVersion = apiVersion;
    this.#paths = new Map(
      [...paths].map(([version, path]) => [version, path === null ? null : path.map((name) => `f:${name}`)]),
    );
  }

  /**
   * The entries of the scale: who owns the replicas.
   * @throws FormatError when the resource's entries cannot be read
   */
  toSubresource(): ManagedFieldsEntry[] | undefined {
    const parent = decodeManaged(this.#parent);
    const scale = emptyManaged();
    for (const [id, versioned] of parent.fields) {
      const path = this.#paths.get(versioned.apiVersion);
      if (path === undefined || path === null || !hasPath(versioned.set, path)) continue;
      keep(
        scale,
        id,
        { set: fieldSetOf(replicasInScale), apiVersion: SCALE_VERSION, applied: versioned.applied },
        parent,
      );
    }
    return encodeManaged(scale);
  }

  /**
   * The entries of the resource after a change of the scale with these entries.
   * @throws FormatError when either cannot be read
   */
  toParent(scaleEntries: readonly ManagedFieldsEntry[] | undefined): ManagedFieldsEntry[] | undefined {
    const parent = decodeManaged(this.#parent);
    const scale = decodeManaged(scaleEntries);
    const out = emptyManaged();
    for (const [id, versioned] of parent.fields) {
      const path = this.#paths.get(versioned.apiVersion);
      if (path === undefined) continue;
      if (path === null || !hasPath(versioned.set, path) || scale.fields.delete(id)) {
        keep(out, id, versioned, parent);
        continue;
      }
      // Somebody took the replicas by way of the scale.
      const set = difference(versioned.set, fieldSetOf(path));
      if (set.size > 0) keep(out, id, { ...versioned, set }, parent);
    }
    const path = this.#paths.get(this.#apiVersion);
    for (const [id, versioned] of scale.fields) {
      if (path === undefined || path === null || !hasPath(versioned.set, replicasInScale)) continue;
      // With the time that the resource knows for this manager, so mostly without one: as upstream does it.
      keep(out, id, { set: fieldSetOf(path), apiVersion: this.#apiVersion, applied: versioned.applied }, parent);
    }
    return encodeManaged(out);
  }
}

function keep(to: Managed, id: ManagerId, versioned: VersionedSet, from: Managed): void {
  to.fields.set(id, versioned);
  const time = from.times.get(id);
  if (time !== undefined) to.times.set(id, time);
}
