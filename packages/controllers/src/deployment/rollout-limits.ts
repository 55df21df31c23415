import type { Deployment, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import { scaledCount } from '../controller/scaled-count.ts';
import { maxReplicasAnnotation, replicasAnnotation } from './revision.ts';
import { sizeOf } from './replica-sets.ts';

export const wantedOf = ({ spec }: Deployment): number => spec?.replicas ?? 1;

export function isRolling({ spec }: Deployment): boolean {
  return spec?.strategy?.type === 'RollingUpdate';
}

/** How many pods may be beyond, and how many may be missing, while a rollout is under way. */
export interface RolloutLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Percentages of the size, rounded so that a rollout can go on (deployment/util ResolveFenceposts, 1.36). */
export function rolloutLimits(deployment: Deployment): RolloutLimits {
  if (!isRolling(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const wanted = wantedOf(deployment);
  const { maxSurge: surge, maxUnavailable: missing } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const maxSurge = scaledCount(surge, wanted, Math.ceil);
  let maxUnavailable = scaledCount(missing, wanted, Math.floor);
  // Neither may be 0 when both are, or nothing would ever move.
  if (maxSurge === 0 && maxUnavailable === 0) maxUnavailable = 1;
  return { maxSurge, maxUnavailable: wanted === 0 ? 0 : Math.min(maxUnavailable, wanted) };
}

/** The size that the new set may have now. Source: deployment/util NewRSNewReplicas. */
export function newSetSize(deployment: Deployment, allSets: readonly ReplicaSet[], newSetNow: number): number {
  const wanted = wantedOf(deployment);
  if (!isRolling(deployment)) return wanted;
  const { maxSurge: surge } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const room = wanted + scaledCount(surge, wanted, Math.ceil) - allSets.reduce((count, set) => count + sizeOf(set), 0);
  return room <= 0 ? newSetNow : newSetNow + Math.min(room, wanted - newSetNow);
}

/**
 * A set's part of what is to be added to (or, negative, taken from) all sets while several have pods, by its part of
 * what the deployment could have before. Source: deployment/util GetReplicaSetProportion.
 */
export function proportionOf(
  set: ReplicaSet,
  deployment: Deployment,
  { toAdd, added }: { readonly toAdd: number; readonly added: number },
): number {
  if (sizeOf(set) === 0 || toAdd === 0 || toAdd === added) return 0;
  const part = partOf(set, deployment);
  return toAdd > 0 ? Math.min(part, toAdd - added) : Math.max(part, toAdd - added);
}

function partOf(set: ReplicaSet, deployment: Deployment): number {
  const wanted = wantedOf(deployment);
  const size = sizeOf(set);
  if (wanted === 0) return -size;
  const before = replicasAnnotation(set, maxReplicasAnnotation) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((size * (wanted + rolloutLimits(deployment).maxSurge)) / before) - size;
}
