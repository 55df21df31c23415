import type { GroupVersion, GroupVersionKind, KubeObject } from '@kubechain/apimachinery';
import type {
  ListResult,
  ObjectRecord,
  Preconditions,
  ResourceVersionMatch,
  SelectionPredicate,
  Watch,
  WatchSink,
} from '@kubechain/shared-storage';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestContext } from '../../request/request-context.ts';
import type { Turns } from '../../request/turns.ts';
import type { TableConvertor } from '../../table/table-convertor.ts';

/** What the handlers know of a request when they call storage. */
export interface RESTContext {
  readonly namespace: string;
  /** Its `signal` aborts when nobody waits for the answer any more. */
  readonly request: RequestContext;
  /** Taken before long steps, so that others are served between them. */
  readonly turns?: Pick<Turns, 'before' | 'beginWith' | 'next'>;
}

/**
 * A result that may not live in storage (reviews, Status, Scale) is an object; a stored one is a record, whose bytes
 * are sent as they are.
 */
export type RESTResult = ObjectRecord | KubeObject;

/** Object validation hooks that admission puts between strategy and storage. */
export type ValidateObject = (object: KubeObject) => void | Promise<void>;
/** `effective`: what of the options strategies have settled, such as the grace period of a pod. */
export type ValidateDeletion = (
  object: KubeObject,
  effective?: { readonly gracePeriodSeconds?: number },
) => void | Promise<void>;
export type ValidateObjectUpdate = (object: KubeObject, old: KubeObject) => void | Promise<void>;

export interface GetOptions {
  readonly resourceVersion?: string;
}
export interface ListOptions {
  readonly predicate: SelectionPredicate;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: ResourceVersionMatch;
  readonly limit: number;
  readonly continue: string;
  /** Set when the request names one object (list with fieldSelector metadata.name). */
  readonly name?: string;
}
export interface WatchOptions {
  readonly predicate: SelectionPredicate;
  readonly resourceVersion: string;
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly deadlineMs: number;
  readonly name?: string;
}
/** What the query of a create says (meta/v1 CreateOptions). */
export interface CreateOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: string;
}
/** A create with what judges its object (admission), once the storage has prepared it. */
export interface ValidatedCreateOptions extends CreateOptions {
  readonly validate: ValidateObject;
}
export interface UpdateOptions extends CreateOptions {
  readonly forceAllowCreate: boolean;
}
/** An update with what judges its object: as a new one where there was none, else beside the old one. */
export interface ValidatedUpdateOptions extends UpdateOptions {
  readonly validateCreate: ValidateObject;
  readonly validateUpdate: ValidateObjectUpdate;
}
/** What query and body of a delete say (meta/v1 DeleteOptions). */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly orphanDependents?: boolean;
  readonly preconditions?: Preconditions;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** What a connection is asked for with: to be answered, or to become another protocol. */
export type ConnectExchange =
  | { readonly kind: 'request'; readonly request: IncomingMessage; readonly response: ServerResponse }
  | {
      readonly kind: 'upgrade';
      readonly request: IncomingMessage;
      readonly socket: Duplex;
      /** What the client has sent after its request. */
      readonly head: Buffer;
      /** For an ordinary answer after all: a response that writes to the socket, which is its own from then on. */
      response(): ServerResponse;
    };

/** A request for a connection. */
export interface Connection {
  readonly name: string;
  /**
   * What follows the resource's own path, without escapes: '' or `/…`, with the trailing slash that the request had.
   */
  readonly path: string;
  /** Out of the query (PodExecOptions and the like); fields that it does not name are absent. */
  readonly options: KubeObject;
  readonly exchange: ConnectExchange;
}

/** rest.UpdatedObjectInfo: makes the new object from the current one; runs again on each conflict retry. */
export interface UpdatedObjectInfo {
  readonly preconditions: Preconditions | undefined;
  updatedObject(context: RESTContext, old: KubeObject): KubeObject | Promise<KubeObject>;
}

/** One term of a field selector, and the version whose fields it names. */
export interface FieldTerm {
  readonly label: string;
  readonly value: string;
  readonly version: string;
}

/**
 * One resource or subresource as endpoints see it. Which verbs it has is which methods it has; the installer and
 * discovery read them off. Mirrors k8s.io/apiserver/pkg/registry/rest.
 */
export interface RESTStorage {
  /**
   * Kind of the objects that the verbs take and return, where it differs from the group version's own (Scale,
   * Eviction).
   */
  readonly groupVersionKind?: (served: GroupVersion) => GroupVersionKind;
  readonly kind: string;
  /**
   * Version that records are kept in; requests for it get the record's bytes as they are, others a conversion. Absent
   * for results that are plain objects.
   */
  readonly memoryVersion?: GroupVersion;
  readonly namespaced: boolean;
  readonly singularName: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];

  get?(context: RESTContext, name: string, options: GetOptions): Promise<RESTResult>;
  list?(context: RESTContext, options: ListOptions): Promise<ListResult>;
  watch?(context: RESTContext, options: WatchOptions, sink: WatchSink): Promise<Watch>;
  create?(context: RESTContext, name: string, object: KubeObject, options: ValidatedCreateOptions): Promise<RESTResult>;
  update?(
    context: RESTContext,
    name: string,
    info: UpdatedObjectInfo,
    options: ValidatedUpdateOptions,
  ): Promise<{ readonly result: RESTResult; readonly created: boolean }>;
  /** `deleted` false: deletion has begun but waits (finalizers, grace period). */
  delete?(
    context: RESTContext,
    name: string,
    validate: ValidateDeletion,
    options: DeleteOptions,
  ): Promise<{ readonly result: RESTResult; readonly deleted: boolean }>;
  /**
   * Deletes an object that cannot be read, whatever depends on it: no preconditions, finalizers, hooks or admission.
   * @throws StatusError Invalid when the object can be read, since 1.37 Conflict, or NotFound
   */
  deleteCorrupt?(context: RESTContext, name: string, options: { readonly dryRun: boolean }): Promise<void>;
  /** Resolves to the objects as they were listed, with the metadata of the first page. */
  deleteCollection?(
    context: RESTContext,
    validate: ValidateObject,
    options: DeleteOptions,
    listOptions: ListOptions,
  ): Promise<ListResult>;
  /** Streams of its own: proxy, exec, attach, port-forward, log. Errors are answered as long as nothing was. */
  connect?(context: RESTContext, connection: Connection): Promise<void>;
  readonly connectMethods?: readonly string[];
  /** Kind of the options in the query of connections, where it is not `kind`. */
  readonly connectOptionsKind?: string;
  /** The connection is a GET with options (pods/log): admission is not asked, dryRun means nothing. */
  readonly connectIsRead?: boolean;
  /** False for resources that apply does not serve. */
  readonly patchable?: boolean;
  close?(): Promise<void>;

  /** Kind of lists, default `${kind}List`. */
  readonly listKind?: string;
  /** Items of lists carry apiVersion and kind (custom resources); Go's typed lists leave them out. */
  readonly typedListItems?: boolean;
  /** Version written to etcd, for storageVersionHash in discovery. Absent for what is not stored. */
  readonly storageVersion?: GroupVersion;
  /** How objects print; default Name and Created At. */
  readonly table?: TableConvertor;
  /** Whoever asks for a Table of it is refused. Default: what has no table of its own has one of names and ages. */
  readonly withoutTables?: true;
  /**
   * Checks and translates one term of a field selector to a selectable field of records.
   * Default: metadata.name and metadata.namespace. @throws StatusError BadRequest
   */
  convertFieldLabel?(term: FieldTerm): readonly [label: string, value: string];
  /**
   * Fields that updates through this storage put back, for server-side apply: dotted paths, or the same per served
   * version.
   */
  readonly resetFields?: readonly string[] | ReadonlyMap<string, readonly string[]>;
  /** Group versions besides the served one that bodies of its kind may have (evictions, tokens, scale). */
  acceptsGroupVersion?(groupVersion: GroupVersion): boolean;
  /** The body's uid, timestamps and the like are not wiped on create of a subresource (bindings). */
  readonly preservesObjectMetaOnCreate?: boolean;
  /** Warning of every answer of a deprecated API, e.g. `v1 ComponentStatus is deprecated in v1.19+`. */
  readonly deprecationWarning?: string;
}
