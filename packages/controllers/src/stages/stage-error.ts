/** A template, query or stage that cannot be used; the message says where. */
export class StageError extends Error {
  override readonly name = 'StageError';
}
