import type { Condition, KubeObject } from '@kubechain/apimachinery';

/** Pods that are placed together: of one version of scheduling.k8s.io or another. */
export interface PodGroup extends KubeObject {
  readonly spec?: {
    readonly schedulingPolicy?: { readonly gang?: object };
    /** Up to 1.36. */
    readonly podGroupTemplateRef?: {
      readonly workload?: { readonly workloadName?: string; readonly podGroupTemplateName?: string };
    };
    /** Since 1.37. */
    readonly workloadRef?: { readonly workloadName?: string; readonly templateName?: string };
    readonly parentCompositePodGroupName?: string;
    readonly resourceClaims?: readonly { readonly name?: string }[];
    preemptionPolicy?: string;
    /** A text up to 1.36. */
    disruptionMode?: object | string;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly resourceClaimStatuses?: readonly { readonly name?: string }[];
  };
}

/** Groups of pods that a workload is made of, and how they are to be placed. */
export interface Workload extends KubeObject {
  readonly spec?: {
    readonly podGroupTemplates?: readonly PodGroupTemplate[];
    readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplate[];
  };
}

export interface PodGroupTemplate {
  readonly name?: string;
  readonly priorityClassName?: string;
  readonly priority?: number;
}

/** Since 1.37. */
export interface CompositePodGroupTemplate extends PodGroupTemplate {
  readonly podGroupTemplates?: readonly PodGroupTemplate[];
  readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplate[];
}

/** Groups of pod groups, since 1.37. */
export interface CompositePodGroup extends PodGroup {
  readonly status?: { readonly conditions?: readonly Condition[] };
}
