/**
 * Codes of k8s.io/apiserver/pkg/storage/errors.go, and `Timeout`/`Unavailable` for a store that does not answer.
 * `StoreReadError`: objects of a list, or an object deleted under a watch, that cannot be read; told only where corrupt
 * objects may be deleted unread. `RequestTooLarge`, `NoSpace`: writes that the store has no room for; `Refused`: what
 * etcd refuses for reasons of its own, such as an alarm. Messages of the three are etcd's.
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
  | 'Refused'
  | 'Internal'
  | 'Aborted';

/** One object that a list could not read; `key` undefined: there are more than are told. */
export interface UnreadableObject {
  readonly key: string | undefined;
  readonly message: string;
}

/** What an error tells besides its text and its key, by its code; codes that are not here tell nothing else. */
interface StorageErrorDetails {
  /** Seconds a client should wait before it retries. */
  readonly Unreachable: {
    readonly retryAfterSeconds?: number;
    /** The store certainly knows nothing of the call. */
    readonly notSent?: boolean;
  };
  readonly Timeout: { readonly retryAfterSeconds?: number };
  readonly NotReady: { readonly retryAfterSeconds: number };
  readonly TooLargeResourceVersion: { readonly retryAfterSeconds: number };
  /** Of a list: token with which the client can continue inconsistently. */
  readonly ResourceExpired: { readonly continue?: string };
  /** The value was read back, but is no object. Upstream answers such errors without a reason. */
  readonly CorruptObject: { readonly undecodable?: boolean };
  /**
   * In a watch, or in a read of one object from a cache. Upstream answers with its parser's error, without a reason.
   */
  readonly InvalidResourceVersion: { readonly unparsed?: boolean };
  /** Of a list: what could not be read. */
  readonly StoreReadError: { readonly unreadable?: readonly UnreadableObject[] };
}

type DetailsOf<C extends StorageErrorCode> = C extends keyof StorageErrorDetails
  ? StorageErrorDetails[C]
  : Readonly<Record<never, never>>;

/** What an error of one code is made with: its details, and what all have. */
export type StorageErrorOptions<C extends StorageErrorCode> = DetailsOf<C> & {
  readonly key?: string;
  readonly cause?: unknown;
};

/** The storage error of one code, or the union of those of several. */
export type StorageErrorOf<C extends StorageErrorCode> = C extends StorageErrorCode
  ? Error & { readonly name: 'StorageError'; readonly code: C; readonly key: string } & DetailsOf<C>
  : never;

/** The one error of the storage layer, a union by `code`; the registry maps it to a StatusError. */
export type StorageError = StorageErrorOf<StorageErrorCode>;

/** The arguments after the message: options may be left out where nothing in them has to be told. */
type Rest<C extends StorageErrorCode> =
  Readonly<Record<never, never>> extends DetailsOf<C>
    ? [options?: StorageErrorOptions<C>]
    : [options: StorageErrorOptions<C>];

interface StorageErrorConstructor {
  readonly prototype: StorageError;
  new <C extends StorageErrorCode>(code: C, message: string, ...rest: Rest<C>): StorageErrorOf<C>;
}

/** Makes errors of storage, and is what `instanceof` tells them by. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fields of the options are fields of the error
export const StorageError = class extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  readonly key: string;

  constructor(
    code: StorageErrorCode,
    message: string,
    { cause, key = '', ...details }: { readonly cause?: unknown; readonly key?: string } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.key = key;
    Object.assign(this, details);
  }
} as StorageErrorConstructor;

/** Whether a storage has refused or failed; with a code: in that way. */
export function isStorageError(error: unknown): error is StorageError;
export function isStorageError<C extends StorageErrorCode>(error: unknown, code: C): error is StorageErrorOf<C>;
export function isStorageError(error: unknown, code?: StorageErrorCode): boolean {
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
export function keyError(
  code: keyof typeof upstreamCodes,
  key: string,
  detail?: string,
): StorageErrorOf<keyof typeof upstreamCodes> {
  const [number, text] = upstreamCodes[code];
  return new StorageError<keyof typeof upstreamCodes>(
    code,
    `StorageError: ${text}, Code: ${number}, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail ?? '<nil>'}`,
    { key },
  );
}
