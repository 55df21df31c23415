import type { ObjectMeta } from '@kubechain/apimachinery';
import type { Container, EphemeralContainer, PodSpec } from '@kubechain/apimachinery/types/core/v1';

/** A pod, or the template of one. */
export interface CheckedPod {
  readonly metadata?: ObjectMeta;
  readonly spec: PodSpec;
}

/** What a check objects to. */
export interface Violation {
  /** A few words that hold for any pod, such as `host namespaces`. */
  readonly reason: string;
  /** What it is in this pod, such as `hostPID=true`. */
  readonly detail: string;
}

/** Looks at one aspect of a pod; undefined when it has no objection. */
export type CheckPod = (pod: CheckedPod) => Violation | undefined;

/** A check from one minor version of the policy on, until its next revision. */
export interface CheckRevision {
  /** The N of `v1.N`. */
  readonly since: number;
  readonly check: CheckPod;
  /** Baseline checks that the level `restricted` leaves out because this one covers them. */
  readonly overrides?: readonly string[];
}

/** One requirement of the Pod Security Standards, with its revisions from the oldest to the newest. */
export interface Check {
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  readonly revisions: readonly [CheckRevision, ...CheckRevision[]];
}

export type AnyContainer = Container | EphemeralContainer;

/** Init containers, containers, ephemeral containers. */
export function containersOf({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: Partial<PodSpec>): readonly AnyContainer[] {
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/** Names of the containers for which this holds, in their order. */
export function namesWhere({ spec }: CheckedPod, isBad: (container: AnyContainer) => boolean): readonly string[] {
  return containersOf(spec)
    .filter(isBad)
    .map(({ name }) => name);
}

/** The check, but pods for Windows are spared. */
export function exceptWindows(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod));
}

/** The check, but pods in a user namespace of their own are spared. */
export function exceptUserNamespaces(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod));
}
