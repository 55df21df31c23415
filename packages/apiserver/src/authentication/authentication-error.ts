import { messageOf } from '@kubechain/apimachinery';

/** Each ends one request in 401. What is wrong with flags and the files behind them is an OptionsError instead. */
export type AuthenticationErrorCode = 'InvalidToken' | 'InvalidCertificate' | 'InvalidRequest';

/**
 * The one error class of the authentication layer. Its message may be shown to those who review tokens, never to the
 * caller.
 */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  readonly code: AuthenticationErrorCode;
  constructor(code: AuthenticationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function isAuthenticationError(error: unknown, code?: AuthenticationErrorCode): error is AuthenticationError {
  return error instanceof AuthenticationError && (code === undefined || error.code === code);
}

/**
 * The text of several errors as one: repeated messages once, a lone one bare, others as `[a, b]`.
 * Source: k8s.io/apimachinery/pkg/util/errors Aggregate.Error.
 */
export function aggregateMessage(errors: readonly unknown[]): string {
  const messages = [...new Set(errors.map((error) => messageOf(error)))];
  return messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;
}

/** The error itself when there is one, else one error that carries all of their messages. */
export function aggregateError(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0];
  return new AuthenticationError('InvalidRequest', aggregateMessage(errors), { cause: errors });
}
