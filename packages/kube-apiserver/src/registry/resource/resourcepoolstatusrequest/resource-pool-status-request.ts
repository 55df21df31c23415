import type { Condition, KubeObject } from '@kubechain/apimachinery';

/** A question about the pools of a driver, which is answered once (resource.k8s.io/v1alpha3). */
export interface ResourcePoolStatusRequest extends KubeObject {
  readonly spec?: ResourcePoolStatusRequestSpec;
  readonly status?: ResourcePoolStatusRequestStatus;
}

export interface ResourcePoolStatusRequestSpec {
  readonly driver?: string;
  readonly poolName?: string;
  /** Of pools in the answer. */
  limit?: number;
}

export interface ResourcePoolStatusRequestStatus {
  /** Of all that fit, be they in `pools` or not. */
  readonly poolCount?: number;
  readonly pools?: readonly PoolStatus[];
  readonly conditions?: readonly Condition[];
}

/** Devices of one pool; what is not known is absent. */
export interface PoolStatus {
  readonly driver?: string;
  readonly poolName?: string;
  readonly generation?: number;
  readonly resourceSliceCount?: number;
  readonly totalDevices?: number;
  readonly allocatedDevices?: number;
  readonly availableDevices?: number;
  readonly unavailableDevices?: number;
  readonly nodeName?: string;
  readonly validationError?: string;
}
