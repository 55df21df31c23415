import type { FieldError, KubeObject, NameValidator } from '@kubechain/apimachinery';
import type { DeleteOptions, RESTContext } from '../rest/storage.ts';
import type { MetadataCheck } from './update-metadata-checks.ts';

/** What garbage collection does by default with the dependents of a deleted object (rest.GarbageCollectionPolicy). */
export type GarbageCollectionPolicy = 'DeleteDependents' | 'OrphanDependents' | 'Unsupported';

/** Delete options while a strategy still may fill them in (the default grace period). */
export type MutableDeleteOptions = { -readonly [K in keyof DeleteOptions]: DeleteOptions[K] };

/**
 * What is special about one resource (or one subresource that updates part of it): the hooks of
 * k8s.io/apiserver/pkg/registry/rest's RESTCreateStrategy, RESTUpdateStrategy and RESTDeleteStrategy.
 * All hooks are optional; objects are in the resource's memory version with defaults set, and private to the
 * request, so `prepare…` and `canonicalize` change them in place. Hooks may be async where they must wait.
 */
export interface Strategy {
  /** Removes what a creator may not set (status) and normalizes, before validation. */
  prepareForCreate?(object: KubeObject, context: RESTContext): void | Promise<void>;
  /**
   * The resource's own rules. ObjectMeta, with `validateName`, has been checked; both lists go into one Invalid error.
   */
  validate?(object: KubeObject, context: RESTContext): readonly FieldError[] | Promise<readonly FieldError[]>;
  /** Those of its rules for new objects that are looked at before ObjectMeta is. */
  validateFirst?(object: KubeObject, context: RESTContext): readonly FieldError[];
  /**
   * What is wrong with the kind and apiVersion that the object names itself, where those are read whatever they are. If
   * anything is, the metadata is not checked by the kind's own rules, and the refusal is told of what the object says
   * that it is.
   */
  typeMistakes?(object: KubeObject): readonly FieldError[];
  /** Objects say themselves what they are, so that an update may leave no apiVersion. Default false. */
  readonly unstructured?: boolean;
  /** Short warnings for the client, about things it can change. */
  warningsOnCreate?(object: KubeObject, context: RESTContext): readonly string[];

  prepareForUpdate?(object: KubeObject, old: KubeObject, context: RESTContext): void | Promise<void>;
  /** The resource's own rules for an update (immutable fields, transitions); ObjectMeta has been checked. */
  validateUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: RESTContext,
  ): readonly FieldError[] | Promise<readonly FieldError[]>;
  /** Those of its rules for an update that look at what was there before, where they have a place of their own. */
  validateChange?(object: KubeObject, old: KubeObject, context: RESTContext): readonly FieldError[];
  warningsOnUpdate?(object: KubeObject, old: KubeObject, context: RESTContext): readonly string[];

  /** Brings a valid object into the form in which it is stored. */
  canonicalize?(object: KubeObject): void;

  /** Messages about a bad name (`prefix`: about a generateName); default: DNS subdomain. */
  readonly validateName?: NameValidator;
  /**
   * The kind's rules say nothing of the metadata of new objects: only the checks of all objects do, and only of what is
   * right otherwise. Default false.
   */
  readonly rulesLeaveMetadata?: boolean;
  /**
   * Which checks of the metadata the kind's own update rules make once more in the reference, in order: its answers
   * then name a mistake once per check. Default: what built-in kinds do (update-metadata-checks.ts), `update` for all
   * others.
   */
  readonly updateChecksMetadata?: readonly MetadataCheck[];
  /** PUT of an object that does not exist creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without resourceVersion overwrites whatever is there. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Name for a generateName prefix; default: prefix cut to 58 characters and 5 random ones. */
  generateName?(prefix: string): string;

  /**
   * The object can be deleted gracefully; sets `options.gracePeriodSeconds` when the caller gave none.
   * Absent: deletion is immediate (apart from finalizers).
   */
  checkGracefulDelete?(object: KubeObject, options: MutableDeleteOptions): boolean;
  /** Warnings for who deletes one or many with these options. */
  warningsOnDelete?(options: DeleteOptions): readonly string[];
  /** Default 'DeleteDependents'. */
  readonly garbageCollectionPolicy?: GarbageCollectionPolicy;
  /**
   * Fields that this strategy puts back to their old value, for server-side apply: `status`, or `spec` for a
   * status strategy. Paths are dotted; the same for each served version unless given per version.
   */
  readonly resetFields?: readonly string[] | ReadonlyMap<string, readonly string[]>;
}
