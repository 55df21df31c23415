import type { ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { isDeepStrictEqual } from 'node:util';

/** The label that tells pods of one revision from those of another. */
export const templateHashLabel = 'pod-template-hash';

export const sizeOf = ({ spec }: ReplicaSet): number => spec?.replicas ?? 1;

/** What replica sets are to be, are, and have, added up. */
export const total = {
  wanted: (sets: readonly ReplicaSet[]): number => sum(sets, sizeOf),
  actual: (sets: readonly ReplicaSet[]): number => sum(sets, ({ status }) => status?.replicas ?? 0),
  ready: (sets: readonly ReplicaSet[]): number => sum(sets, ({ status }) => status?.readyReplicas ?? 0),
  available: (sets: readonly ReplicaSet[]): number => sum(sets, ({ status }) => status?.availableReplicas ?? 0),
  /** Undefined where a set does not tell. */
  terminating: (sets: readonly ReplicaSet[]): number | undefined => {
    let count = 0;
    for (const { status } of sets) {
      // Not looked at by its controller yet.
      if ((status?.observedGeneration ?? 0) === 0 && status?.terminatingReplicas === undefined) continue;
      if (status?.terminatingReplicas === undefined) return undefined;
      count += status.terminatingReplicas;
    }
    return count;
  },
};

function sum(sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number {
  return sets.reduce((count, set) => count + of(set), 0);
}

/** Sets that are to have pods. */
export function activeSets(sets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return sets.filter((set) => sizeOf(set) > 0);
}

export function byCreation(a: ReplicaSet, b: ReplicaSet): number {
  return compare(createdOf(a), createdOf(b)) || compare(nameOf(a), nameOf(b));
}

/** Large ones first, older ones first among equals. */
export function bySizeThenOlder(a: ReplicaSet, b: ReplicaSet): number {
  return sizeOf(b) - sizeOf(a) || byCreation(a, b);
}

/** Large ones first, newer ones first among equals. */
export function bySizeThenNewer(a: ReplicaSet, b: ReplicaSet): number {
  return sizeOf(b) - sizeOf(a) || byCreation(b, a);
}

/**
 * The set of a template: the oldest that has it, should several. Templates are equal but for the label that the
 * deployment has added.
 */
export function setOfTemplate(sets: readonly ReplicaSet[], template: PodTemplateSpec): ReplicaSet | undefined {
  const wanted = withoutHash(template);
  return sets.toSorted(byCreation).find((set) => isDeepStrictEqual(withoutHash(set.spec?.template ?? {}), wanted));
}

function withoutHash({ metadata = {}, ...rest }: PodTemplateSpec): object {
  const { [templateHashLabel]: _hash, ...labels } = metadata.labels ?? {};
  const { creationTimestamp: _created, ...meta } = metadata;
  return { ...rest, metadata: { ...meta, labels } };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function createdOf({ metadata }: ReplicaSet): string {
  return metadata?.creationTimestamp ?? '';
}

function nameOf({ metadata }: ReplicaSet): string {
  return metadata?.name ?? '';
}
