/** Why a file is no AuthenticationConfiguration that can be followed, in the words of kube-apiserver 1.36. */
export class AuthenticationConfigurationError extends Error {
  override readonly name = 'AuthenticationConfigurationError';
}

export function isAuthenticationConfigurationError(error: unknown): error is AuthenticationConfigurationError {
  return error instanceof AuthenticationConfigurationError;
}
