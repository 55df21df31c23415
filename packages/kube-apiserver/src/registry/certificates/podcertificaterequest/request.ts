import type { Condition, KubeObject } from '@kubechain/apimachinery';

/** What a kubelet asks of a signer for a pod (certificates.k8s.io/v1, 1.37; v1beta1). */
export interface PodCertificateRequest extends KubeObject {
  readonly spec?: {
    readonly signerName?: string;
    readonly podName?: string;
    readonly podUID?: string;
    readonly serviceAccountName?: string;
    readonly serviceAccountUID?: string;
    readonly nodeName?: string;
    readonly nodeUID?: string;
    readonly maxExpirationSeconds?: number;
    /** PKCS #10 in DER, in base64. */
    readonly stubPKCS10Request?: string | null;
    /** A public key in DER, in base64; of v1beta1. */
    readonly pkixPublicKey?: string | null;
    /** The pod's uid, signed with that key, in base64; of v1beta1. */
    readonly proofOfPossession?: string | null;
    readonly unverifiedUserAnnotations?: Readonly<Record<string, string>>;
  };
  readonly status?: PodCertificateRequestStatus;
}

export interface PodCertificateRequestStatus {
  readonly conditions?: readonly Condition[];
  /** PEM, the pod's own certificate first. */
  readonly certificateChain?: string;
  readonly notBefore?: string;
  readonly beginRefreshAt?: string;
  readonly notAfter?: string;
}
