import type { GroupVersionKind, KubeObject } from '../object/object.ts';
import type { KindInfo, Scheme } from '../runtime/scheme.ts';

/** The `fieldValidation` directive. `Ignore` skips the search for unknown and duplicate fields. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** How a body becomes an object. */
export interface DecodeOptions {
  /**
   * Default `Ignore`. With `Strict`, strict errors are thrown as DecodeError `Strict`; with `Warn` they are returned.
   */
  readonly strict?: FieldValidation;
  /** Finds kinds other than the expected one. Without it only the expected kind is accepted. */
  readonly scheme?: Scheme;
  /** Kinds besides the expected one that are returned as they are instead of being refused as `WrongKind`. */
  readonly accepts?: (kind: KindInfo) => boolean;
  /** Custom resources may come in any version, for validation to refuse. Default: only in the expected one. */
  readonly anyVersion?: boolean;
  /** The bytes come from a client: more values than limits.bodyValues are refused (StatusError 413). */
  readonly outside?: boolean;
  /** What upstream calls the scheme in `no kind … is registered` texts. */
  readonly schemeName?: string;
}

/** A decoded object: pruned to its schema, private to the caller. */
export interface Decoded {
  readonly object: KubeObject;
  /** What the object was decoded as; differs from the expected kind only if `accepts` allowed it. */
  readonly gvk: GroupVersionKind;
  readonly kind: KindInfo | undefined;
  /** What the document itself says of its type: decoding fills in what is expected. '' where it says nothing. */
  readonly written: { readonly apiVersion: string; readonly kind: string };
  /** Texts such as `unknown field "spec.foo"`, in order of appearance; always empty with `Ignore`. */
  readonly strictErrors: readonly string[];
}
