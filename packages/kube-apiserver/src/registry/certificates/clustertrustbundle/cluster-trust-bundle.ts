import type { KubeObject } from '@kubechain/apimachinery';

/** Roots of trust, of a signer or of nobody in particular (certificates.k8s.io/v1, v1beta1). */
export interface ClusterTrustBundle extends KubeObject {
  readonly spec?: { readonly signerName?: string; readonly trustBundle?: string };
}
