import type { Condition, KubeObject } from '@kubechain/apimachinery';
import type { DeviceTaint } from '@kubechain/apimachinery/types/resource/v1';

/** A taint for devices that a rule selects (resource.k8s.io/v1alpha3, v1beta2). */
export interface DeviceTaintRule extends KubeObject {
  spec?: {
    readonly deviceSelector?: DeviceTaintSelector;
    taint?: DeviceTaint;
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Which devices; what is absent fits all. */
export interface DeviceTaintSelector {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
}
