import type { GroupVersionKind, GroupVersionResource, JSONValue, KubeObject, Schema } from '@kubechain/apimachinery';
import type { RequestObservation } from '../request/request-observation.ts';
import type { UserInfo } from '../request/user-info.ts';
import type { CallerTrace } from '../request/caller-trace.ts';
import type { Reinvocation } from './reinvocation.ts';

/** The same objects as another resource or version: what match policy Equivalent looks through. */
export interface EquivalentResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** The object of a request in other versions, for plugins that hand it to others (admission.ObjectInterfaces). */
export interface AdmissionObjects {
  /** To be awaited between two steps on a large object: others are served. undefined where there is no need. */
  rest(): Promise<void> | undefined;
  /**
   * To be called before an object gets so many values more.
   * @throws StatusError 413 where it may not have so many; LargeObjectError where it is too large then for the thread
   * that serves everybody
   */
  beginWith(values: number): void;
  /** JSON of an object in a version of its kind. The object stays as it is. */
  encode(object: KubeObject, kind: GroupVersionKind): Promise<string>;
  /**
   * What {@link encode} writes, as plain data. Shares parts with the object: nobody changes it, and it holds until the
   * object changes.
   */
  view(object: KubeObject, kind: GroupVersionKind): Promise<JSONValue>;
  /**
   * The object of a JSON text in a version of its kind, with defaults, as plugins see it.
   * @throws StatusError; LargeObjectError where it is too large for the thread that serves everybody
   */
  decode(text: string, kind: GroupVersionKind): Promise<KubeObject>;
  /** The same of plain data, which stays as it is. @throws StatusError, also for fields that the kind does not have */
  read(data: JSONValue, kind: GroupVersionKind): Promise<KubeObject>;
  /** How objects of a version are put together; null for any JSON object. */
  schemaOf(kind: GroupVersionKind): Schema | null;
  /** Other versions and groups that serve the resource, with its subresource. */
  equivalents(): readonly EquivalentResource[];
}

/** What a request does to an object (admission.Operation). */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** admission.Attributes: one write on its way to storage. Mutating plugins change `object` in place or replace it. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** '' on create with generateName until the name is generated. */
  readonly name: string;
  object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: KubeObject | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Of the request, for log lines; '' where the server writes for itself. */
  readonly auditID: string;
  /** Told what plugins do, where somebody looks at the request. */
  readonly observation?: RequestObservation | undefined;
  /** What the request says of its trace, for those who are asked. */
  readonly trace?: CallerTrace | undefined;
  readonly objects: AdmissionObjects;
  readonly reinvocation: Reinvocation;
  /** Adds a Warning header to the response. */
  addWarning(text: string): void;
  addAuditAnnotation(key: string, value: string): void;
  /** One that is recorded where the log wants the request's object; `value` is asked for only then. */
  addRequestAnnotation?(key: string, value: () => string): void;
  readonly signal: AbortSignal;
  /** Until the request must have been answered, ms. Absent: no such time. */
  readonly remainingMs?: number;
}

/**
 * Changes or refuses writes before they are stored: `admit` first, in all plugins, then `validate`
 * (admission.Interface).
 */
export interface AdmissionPlugin {
  /** The reference's plugin name, e.g. `NamespaceLifecycle`. */
  readonly name: string;
  handles(operation: AdmissionOperation): boolean;
  /** @throws StatusError to refuse. */
  admit?(attributes: AdmissionAttributes): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** The chain in order, with metrics; what handlers call. Empty chains cost one boolean test. */
export interface AdmissionChain {
  readonly empty: boolean;
  handles(operation: AdmissionOperation): boolean;
  admit(attributes: AdmissionAttributes): void | Promise<void>;
  validate(attributes: AdmissionAttributes): void | Promise<void>;
}
