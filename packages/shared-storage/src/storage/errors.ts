/**
 * Codes of k8s.io/apiserver/pkg/storage/errors.go, and `Timeout`/`Unavailable` for a store that does not answer.
 * `StoreReadError`: objects of a list, or an object deleted under a watch, that cannot be read; told only where corrupt
 * objects may be deleted unread. `RequestTooLarge`, `NoSpace`: writes that the store has no room for; messages are
 * etcd's.
 */
export type StorageErrorCode =
  | 'KeyNotFound'
  | 'KeyExists'
  | 'ResourceVersionConflicts'
  | 'InvalidObject'
  | 'Unreachable'
  | 'Timeout'
  | 'CorruptObject'
  | 'StoreReadError'
  | 'ResourceExpired'
  | 'TooLargeResourceVersion'
  | 'InvalidContinue'
  | 'InvalidResourceVersion'
  | 'NotReady'
  | 'RequestTooLarge'
  | 'NoSpace'
  | 'Internal'
  | 'Aborted';

/** One object that a list could not read; `key` undefined: there are more than are told. */
export interface UnreadableObject {
  readonly key: string | undefined;
  readonly message: string;
}

export interface StorageErrorOptions {
  readonly key?: string;
  readonly retryAfterSeconds?: number;
  readonly continue?: string;
  readonly undecodable?: boolean;
  readonly unparsed?: boolean;
  readonly unreadable?: readonly UnreadableObject[];
  readonly cause?: unknown;
}

/** The one error class of the storage layer; the registry maps it to a StatusError. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  readonly key: string;
  /** Seconds a client should wait before it retries; TooLargeResourceVersion, NotReady, Timeout. */
  readonly retryAfterSeconds: number | undefined;
  /** ResourceExpired on a list: token with which the client can continue inconsistently. */
  readonly continue: string | undefined;
  /** CorruptObject: the value was read back, but is no object. Upstream answers such errors without a reason. */
  readonly undecodable: boolean;
  /**
   * InvalidResourceVersion in a watch, or in a read of one object from a cache. Upstream answers with its parser's
   * error, without a reason.
   */
  readonly unparsed: boolean;
  /** StoreReadError of a list: what could not be read. */
  readonly unreadable: readonly UnreadableObject[] | undefined;
  constructor(code: StorageErrorCode, message: string, options: StorageErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.key = options.key ?? '';
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.continue = options.continue;
    this.undecodable = options.undecodable ?? false;
    this.unparsed = options.unparsed ?? false;
    this.unreadable = options.unreadable;
  }
}

export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return error instanceof StorageError && (code === undefined || error.code === code);
}

const upstreamCodes = {
  KeyNotFound: [1, 'key not found'],
  KeyExists: [2, 'key exists'],
  InvalidObject: [4, 'invalid object'],
  Timeout: [6, 'request timeout'],
  CorruptObject: [7, 'corrupt object'],
} as const;

/**
 * An error whose text is that of upstream's StorageError (apiserver/pkg/storage/errors.go): clients see it inside a
 * Status.
 */
export function keyError(code: keyof typeof upstreamCodes, key: string, detail?: string): StorageError {
  const [number, text] = upstreamCodes[code];
  return new StorageError(
    code,
    `StorageError: ${text}, Code: ${number}, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail ?? '<nil>'}`,
    { key },
  );
}
