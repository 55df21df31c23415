import type { GroupVersionKind } from '../object/object.ts';

/** What was wrong with the bytes; decides how the API layer words its answer. */
export type DecodeErrorCode =
  /** Not JSON (YAML, protobuf) at all, or kind and apiVersion could not be read from it. */
  | 'Unreadable'
  /** Readable, but a value has the wrong type or form for its field. */
  | 'InvalidValue'
  /** `kind` or `apiVersion` is missing and nothing was expected that could stand in for it. */
  | 'MissingKind'
  | 'MissingVersion'
  /** The scheme does not know the kind in that version. */
  | 'NotRegistered'
  /** A known kind, but not one that converts to the expected one. */
  | 'WrongKind'
  /** The expected kind in another version than the request's path names. */
  | 'WrongVersion'
  /** Unknown or duplicate fields under strict decoding. */
  | 'Strict';

export interface DecodeErrorOptions extends ErrorOptions {
  readonly gvk?: GroupVersionKind;
  readonly strictErrors?: readonly string[];
}

/**
 * The one error of the serializers. `message` is the text that apimachinery's serializers of Kubernetes
 * 1.36 produce; `decodeErrorStatus` turns it into the answer of a request handler.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: DecodeErrorCode;
  /** The kind read from the bytes with what was expected filled in; absent when it could not be read. */
  readonly gvk: GroupVersionKind | undefined;
  /** The single strict errors when code is `Strict`. */
  readonly strictErrors: readonly string[];
  constructor(code: DecodeErrorCode, message: string, options: DecodeErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.gvk = options.gvk;
    this.strictErrors = options.strictErrors ?? [];
  }
}

/** Narrows to DecodeError. */
export function isDecodeError(error: unknown): error is DecodeError {
  return error instanceof DecodeError;
}
