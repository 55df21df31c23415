import type { KubeObject } from '@kubechain/apimachinery';
import type { JSONPatchOperation } from './json-patch-between.ts';

/** `request` of an AdmissionReview, as admission.k8s.io/v1 has it. */
export interface AdmissionRequest<T = KubeObject> {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly requestKind?: AdmissionRequest['kind'];
  readonly requestResource?: AdmissionRequest['resource'];
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** Null for DELETE. A mutating function may change it in place and answer it. */
  readonly object: T;
  /** Null but for UPDATE and DELETE. */
  readonly oldObject: T;
  readonly dryRun?: boolean;
  readonly options?: unknown;
}

/** What is said of a request besides. */
export interface AdmissionRemarks {
  /** Shown to the client. */
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** A refusal. */
export interface AdmissionDenial extends AdmissionRemarks {
  readonly allowed: false;
  readonly message?: string;
  /** Of the client's answer. Default 400, the reference's. */
  readonly code?: number;
  readonly reason?: string;
}

/** What a validating function answers; nothing is a yes. */
export type ValidatingAnswer = AdmissionDenial | (AdmissionRemarks & { readonly allowed?: true }) | undefined | void;

/** What a mutating function answers; nothing is a yes to the object as it came. */
export type MutatingAnswer =
  | ValidatingAnswer
  /** The object as it is to be: what differs is made a patch. */
  | (AdmissionRemarks & { readonly allowed?: true; readonly object: object })
  | (AdmissionRemarks & { readonly allowed?: true; readonly patch: readonly JSONPatchOperation[] });
