import type { KubeObject } from '@kubechain/apimachinery';

/** A candidate for a lease that is given by coordinated leader election (coordination.k8s.io/v1beta1). */
export interface LeaseCandidate extends KubeObject {
  readonly spec?: LeaseCandidateSpec;
}

/** What it stands for, and with which versions. */
export interface LeaseCandidateSpec {
  readonly leaseName?: string;
  readonly binaryVersion?: string;
  readonly emulationVersion?: string;
  readonly strategy?: string;
  /** When it was asked last whether it is there, and when it last said so. */
  readonly pingTime?: string;
  readonly renewTime?: string;
}
