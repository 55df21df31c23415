/**
 * Text that does not parse: a quantity, a time, a duration, a selector, a field set. `message` is the
 * reference's own wording, ready to be embedded in a Status or a field error.
 */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/** Whether `error` is a {@link FormatError}. */
export function isFormatError(error: unknown): error is FormatError {
  return error instanceof FormatError;
}
