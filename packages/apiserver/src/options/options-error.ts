/** What is wrong with the command line or with what a flag points at. */
export type OptionsErrorCode = 'UnknownFlag' | 'MissingValue' | 'InvalidValue' | 'UnexpectedArgument' | 'Unusable';

/**
 * A start-up problem that the user can fix: the message is one line and names the flag.
 * Process entries print it as `Error: <message>` and exit with 1; nothing else of the stack is shown.
 */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
  readonly code: OptionsErrorCode;
  constructor(code: OptionsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An existing value of a flag that cannot be used (unreadable file, port in use): `--flag: reason`. */
export function unusableFlag(flag: string, reason: string, cause?: unknown): OptionsError {
  return new OptionsError('Unusable', `--${flag}: ${reason.replaceAll('\n', ' ')}`, { cause });
}
