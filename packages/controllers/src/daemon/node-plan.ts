import { append } from '@kubechain/apimachinery';
import type { DaemonSet, DaemonSetStatus } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { scaledCount } from '../controller/scaled-count.ts';
import { revisionLabel } from '../history/controller-revisions.ts';
import { isPodAvailable, isPodReady } from '../pods/pod-state.ts';
import { isUpdated, type Wish } from './should-run.ts';

/** A node with the set's pods on it. */
export interface DaemonNode extends Wish {
  readonly name: string;
  readonly pods: readonly Pod[];
}

/** What is to be done; nodes by name. */
export interface DaemonPlan {
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
}

export interface PlanOptions {
  readonly hash: string;
  readonly nowMs: number;
}

interface Limits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** How many pods may be missing or beyond while a set is updated; of percentages both are rounded up. */
export function updateLimits({ spec }: DaemonSet, desired: number): Limits {
  const { maxSurge, maxUnavailable } = spec?.updateStrategy?.rollingUpdate ?? {};
  const limits = {
    maxSurge: scaledCount(maxSurge ?? 0, desired),
    maxUnavailable: scaledCount(maxUnavailable ?? 0, desired),
  };
  // Or nothing would ever move.
  return desired > 0 && limits.maxSurge === 0 && limits.maxUnavailable === 0
    ? { ...limits, maxUnavailable: 1 }
    : limits;
}

function allowsSurge(set: DaemonSet): boolean {
  return set.spec?.updateStrategy?.type === 'RollingUpdate' && updateLimits(set, 100).maxSurge > 0;
}

/** Brings a node to one running pod, or none (daemon podsShouldBeOnNode, 1.36). Ended pods are told by `ended`. */
export function planNode(
  set: DaemonSet,
  { name, pods, run, stay }: DaemonNode,
  { ended, hash, nowMs }: PlanOptions & { readonly ended: (pod: Pod) => boolean },
): DaemonPlan {
  const here = pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  if (run && pods.length === 0) return { create: [name], delete: [] };
  if (!stay) return { create: [], delete: here };
  const doomed: Pod[] = [];
  const running: Pod[] = [];
  for (const pod of here)
    if (pod.status?.phase !== 'Failed' && pod.status?.phase !== 'Succeeded') running.push(pod);
    else if (ended(pod)) doomed.push(pod);
  const sorted = running.toSorted(byAssignmentAndAge);
  if (!allowsSurge(set)) return { create: [], delete: [...doomed, ...sorted.slice(1)] };
  if (sorted.length <= 1) return { create: sorted.length === 0 && run ? [name] : [], delete: doomed };
  const isNew = ({ metadata }: Pod): boolean => metadata?.labels?.[revisionLabel] === hash;
  const newest = sorted.find(isNew);
  const old = sorted.find((pod) => !isNew(pod));
  append(
    doomed,
    sorted.filter((pod) => pod !== newest && pod !== old),
  );
  const replaced = newest !== undefined && old !== undefined && (!isPodReady(old) || isAvailable(set, newest, nowMs));
  return { create: [], delete: replaced ? [...doomed, old] : doomed };
}

/** The next step of a rolling update (daemon rollingUpdate, 1.36). */
export function planUpdate(set: DaemonSet, nodes: readonly DaemonNode[], options: PlanOptions): DaemonPlan {
  const limits = updateLimits(set, nodes.filter(({ run }) => run).length);
  const relevant = nodes.filter(({ pods, run }) => run || pods.length > 0);
  return limits.maxSurge === 0
    ? planReplacing(set, relevant, { ...options, limit: limits.maxUnavailable })
    : planSurging(set, relevant, { ...options, limit: limits.maxSurge });
}

function planReplacing(
  set: DaemonSet,
  nodes: readonly DaemonNode[],
  { hash, limit, nowMs }: PlanOptions & { readonly limit: number },
): DaemonPlan {
  const down: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const node of nodes) {
    const pair = pairOn(set, node, hash);
    if (pair === undefined || (pair.old === undefined) === (pair.current === undefined)) unavailable++;
    else if (pair.current !== undefined) unavailable += Number(!isAvailable(set, pair.current, nowMs));
    else if (pair.old !== undefined && !isAvailable(set, pair.old, nowMs)) {
      down.push(pair.old);
      unavailable++;
    } else if (pair.old !== undefined && unavailable < limit) candidates.push(pair.old);
  }
  return { create: [], delete: [...down, ...candidates.slice(0, Math.max(0, limit - unavailable))] };
}

function planSurging(
  set: DaemonSet,
  nodes: readonly DaemonNode[],
  { hash, limit, nowMs }: PlanOptions & { readonly limit: number },
): DaemonPlan {
  const doomed: Pod[] = [];
  const leaving: Pod[] = [];
  const down: string[] = [];
  const candidates: string[] = [];
  let surge = 0;
  let available = 0;
  for (const node of nodes) {
    const pair = pairOn(set, node, hash);
    if (pair === undefined) {
      surge++;
      continue;
    }
    const { current, old } = pair;
    const serving = old ?? current;
    if (serving !== undefined && isAvailable(set, serving, nowMs)) available++;
    if (old === undefined) continue;
    if (current !== undefined) {
      if (isAvailable(set, current, nowMs)) doomed.push(old);
      else surge++;
    } else if (!isAvailable(set, old, nowMs)) {
      if (node.run) down.push(node.name);
      else doomed.push(old);
    } else if (!node.run) leaving.push(old);
    else if (surge < limit) candidates.push(node.name);
  }
  const spare = Math.max(0, available - nodes.filter(({ run }) => run).length);
  return {
    create: [...down, ...candidates.slice(0, Math.max(0, limit - surge))],
    delete: [...doomed, ...leaving.slice(0, spare)],
  };
}

/** The status of a set (daemon updateDaemonSetStatus, 1.36). */
export function countedStatus(
  set: DaemonSet,
  nodes: readonly DaemonNode[],
  { hash, nowMs }: PlanOptions,
): Omit<DaemonSetStatus, 'observedGeneration' | 'collisionCount' | 'conditions'> {
  const wanted = nodes.filter(({ run }) => run);
  const first = wanted
    .map(({ pods }) => pods.toSorted(byAssignmentAndAge)[0])
    .filter((pod): pod is Pod => pod !== undefined);
  const available = first.filter((pod) => isAvailable(set, pod, nowMs)).length;
  return {
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: first.length,
    numberMisscheduled: nodes.filter(({ pods, run }) => !run && pods.length > 0).length,
    numberReady: first.filter(isPodReady).length,
    updatedNumberScheduled: first.filter((pod) => isUpdated(set, pod, hash)).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  };
}

/** The pod of now and the one of before; undefined where there are more. */
function pairOn(
  set: DaemonSet,
  { pods }: DaemonNode,
  hash: string,
): { readonly current: Pod | undefined; readonly old: Pod | undefined } | undefined {
  const here = pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  const current = here.filter((pod) => isUpdated(set, pod, hash));
  const old = here.filter((pod) => !isUpdated(set, pod, hash));
  return current.length > 1 || old.length > 1 ? undefined : { current: current[0], old: old[0] };
}

function isAvailable({ spec }: DaemonSet, pod: Pod, nowMs: number): boolean {
  return isPodAvailable(pod, spec?.minReadySeconds ?? 0, nowMs);
}

function byAssignmentAndAge(a: Pod, b: Pod): number {
  return (
    Number((a.spec?.nodeName ?? '') === '') - Number((b.spec?.nodeName ?? '') === '') ||
    createdMs(a) - createdMs(b) ||
    ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1)
  );
}

function createdMs({ metadata }: Pod): number {
  return typeof metadata?.creationTimestamp === 'string' ? Date.parse(metadata.creationTimestamp) : 0;
}
