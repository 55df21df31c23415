import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord } from '@kubechain/shared-storage';
import type { CreateOptions, DeleteOptions, RESTContext, RESTResult, UpdateOptions } from '../rest/storage.ts';

/** Ends what a `begin…` hook began: keeps it (`success`) or gives it back. Called exactly once. */
export type FinishFunction = (success: boolean) => void | Promise<void>;

/**
 * What some resources do around storage, outside the object itself: allocating addresses and ports, counting
 * (BeginCreate, BeginUpdate, After… of registry/generic/registry/store.go). `options.dryRun` tells when nothing may
 * stick.
 */
export interface StoreHooks {
  /** Before validation; may change the object. */
  readonly beginCreate?: (
    object: KubeObject,
    context: RESTContext,
    options: CreateOptions,
  ) => FinishFunction | undefined | Promise<FinishFunction | undefined>;
  readonly beginUpdate?: (
    object: KubeObject,
    old: KubeObject,
    context: RESTContext,
    options: UpdateOptions,
  ) => FinishFunction | undefined | Promise<FinishFunction | undefined>;
  afterCreate?(result: RESTResult, context: RESTContext, options: CreateOptions): void | Promise<void>;
  afterUpdate?(result: RESTResult, context: RESTContext, options: UpdateOptions): void | Promise<void>;
  /** Also when an update removed the last finalizer of an object that is being deleted. */
  afterDelete?(deleted: ObjectRecord | KubeObject, context: RESTContext, options: DeleteOptions): void | Promise<void>;
  /**
   * A further condition for deleting an object whose update removed the last finalizer (namespaces: spec.finalizers).
   */
  shouldDeleteDuringUpdate?(object: KubeObject, old: KubeObject): boolean;
}
