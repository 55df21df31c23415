/** A value that cannot be read back or written; the store turns it into a StorageError. */
export class TransformError extends Error {
  override readonly name = 'TransformError';
}
