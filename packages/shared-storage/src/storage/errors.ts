/** Codes of k8s.io/apiserver/pkg/storage/errors.go, and `Timeout`/`Unavailable` for a store that does not answer. */
export type StorageErrorCode =
  | 'KeyNotFound' | 'KeyExists' | 'ResourceVersionConflicts' | 'InvalidObject' | 'Unreachable' | 'Timeout'
  | 'CorruptObject' | 'ResourceExpired' | 'TooLargeResourceVersion' | 'InvalidContinue' | 'InvalidResourceVersion' | 'NotReady' | 'Internal' | 'Aborted';

/** The one error class of the storage layer; the registry maps it to a StatusError. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  readonly key: string;
  /** Seconds a client should wait before it retries; TooLargeResourceVersion, NotReady, Timeout. */
  readonly retryAfterSeconds: number | undefined;
  /** ResourceExpired on a list: token with which the client can continue inconsistently. */
  readonly continue: string | undefined;
  constructor(code: StorageErrorCode, message: string, options: { key?: string; retryAfterSeconds?: number; continue?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.key = options.key ?? '';
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.continue = options.continue;
  }
}

export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return error instanceof StorageError && (code === undefined || error.code === code);
}

const upstreamCodes = { KeyNotFound: [1, 'key not found'], KeyExists: [2, 'key exists'], InvalidObject: [4, 'invalid object'], Timeout: [6, 'request timeout'] } as const;

/** An error whose text is that of upstream's StorageError (apiserver/pkg/storage/errors.go): clients see it inside a Status. */
export function keyError(code: keyof typeof upstreamCodes, key: string, detail?: string): StorageError {
  const [number, text] = upstreamCodes[code];
  return new StorageError(code, `StorageError: ${text}, Code: ${number}, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail ?? '<nil>'}`, { key });
}
