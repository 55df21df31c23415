import type { Condition, KubeObject } from '@kubechain/apimachinery';

/** What is to be evicted; a pod is all that there is. */
export interface EvictionTarget {
  readonly pod?: { readonly name?: string; readonly uid?: string };
}

/** Somebody's wish that something be evicted (lifecycle.k8s.io/v1alpha1, 1.37). */
export interface EvictionRequest extends KubeObject {
  readonly spec?: { readonly target?: EvictionTarget; readonly requester?: string; readonly intent?: string };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
}

/** Whose turn it is with what is evicted, and how far each has come (lifecycle.k8s.io/v1alpha1, 1.37). */
export interface Eviction extends KubeObject {
  readonly spec?: { readonly target?: EvictionTarget };
  readonly status?: EvictionStatus;
}

export interface EvictionStatus {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  readonly requesters?: readonly { readonly name?: string; readonly intent?: string }[];
  readonly targetResponders?: readonly TargetResponder[];
  readonly responders?: readonly ResponderStatus[];
}

/** One who helps with an eviction, and whose turn comes by priority. */
export interface TargetResponder {
  readonly name?: string;
  readonly priority?: number;
  readonly state?: string;
}

/** What a responder tells of its part; times are RFC 3339. */
export interface ResponderStatus {
  readonly name?: string;
  readonly startTime?: string | null;
  readonly heartbeatTime?: string | null;
  readonly expectedCompletionTime?: string | null;
  readonly completionTime?: string | null;
  readonly message?: string;
}

/** Whether a time is there: stored objects have null for what is not. */
export function isTold(time: string | null | undefined): time is string {
  return time !== undefined && time !== null;
}
