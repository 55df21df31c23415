import { messageOf } from '@kubechain/apimachinery';
import { StorageError, isStorageError, keyError } from '../storage/errors.ts';
import type { UnreadableObject } from '../storage/errors.ts';

/*
 * Errors of objects that are stored and cannot be read (etcd3/corrupt_obj_deleter.go, 1.36). With the feature gate
 * AllowUnsafeMalformedObjectDeletion they say so, a read of one object names its key, and a list names all of them;
 * without it they are what the transformer or decoder said.
 */

/** What of the store the texts about unreadable objects name. */
export interface CorruptObjectContext {
  /** Full key root without a final slash, e.g. `/registry/pods`. */
  readonly keyRoot: string;
  /** `keyRoot` without --etcd-prefix. */
  readonly resourcePrefix: string;
  /** Unreadable objects are reported in the words of upstream's AllowUnsafeMalformedObjectDeletion. */
  readonly unsafeDeletion: boolean;
}

/** Objects that a list names before it gives up. */
const maxUnreadable = 100;

/** The transformer could not read a value back. */
export function untransformable(context: CorruptObjectContext, key: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const text = messageOf(error);
  return new StorageError(
    'CorruptObject',
    context.unsafeDeletion ? `data from the storage is not transformable revision=0: ${text}` : text,
    { key, cause: error },
  );
}

/** The value is no object of the resource. */
export function undecodable(
  context: CorruptObjectContext,
  stored: { readonly key: string; readonly revision: number },
  error: unknown,
): StorageError {
  const text = messageOf(error);
  const message = context.unsafeDeletion ? `object not decodable revision=${stored.revision}: ${text}` : text;
  return new StorageError('CorruptObject', message, { key: stored.key, undecodable: true, cause: error });
}

/** What a read of one object says of an error; anything but a corrupt object is left as it is. */
export function describeCorrupt(context: CorruptObjectContext, key: string, error: unknown): unknown {
  if (!context.unsafeDeletion || !isStorageError(error, 'CorruptObject')) return error;
  // Upstream says this above the layer that puts --etcd-prefix in front.
  const { message } = keyError(
    'CorruptObject',
    context.resourcePrefix + key.slice(context.keyRoot.length),
    error.message,
  );
  return new StorageError('CorruptObject', message, { key, cause: error });
}

/**
 * Gathers the corrupt objects of one list, which goes on past them; without the feature gate the first one ends the
 * list.
 */
export class UnreadableObjects {
  readonly #gather: boolean;
  readonly #objects: UnreadableObject[] = [];

  constructor(context: CorruptObjectContext) {
    this.#gather = context.unsafeDeletion;
  }

  /** @throws StorageError when the list is over: the error itself, or `StoreReadError` with all that was gathered */
  add(key: string, error: unknown): void {
    if (!this.#gather) throw error;
    if (this.#objects.length >= maxUnreadable)
      this.#objects.push({ key: undefined, message: 'too many errors, the list is truncated' });
    else if (isStorageError(error, 'CorruptObject')) {
      this.#objects.push({ key, message: keyError('CorruptObject', key, error.message).message });
      return;
    } else if (this.#objects.length === 0) throw error;
    this.throwIfAny();
  }

  /** @throws StorageError `StoreReadError` */
  throwIfAny(): void {
    if (this.#objects.length === 0) return;
    const lines = this.#objects.map(({ message }) => `\t${message}\n`).join('');
    throw new StorageError(
      'StoreReadError',
      `unable to transform or decode ${this.#objects.length} objects: {\n${lines}}`,
      { unreadable: this.#objects },
    );
  }
}
