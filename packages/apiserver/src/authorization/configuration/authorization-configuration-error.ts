/** Why a file is no AuthorizationConfiguration that can be followed, in the words of kube-apiserver 1.36. */
export class AuthorizationConfigurationError extends Error {
  override readonly name = 'AuthorizationConfigurationError';
}

export function isAuthorizationConfigurationError(error: unknown): error is AuthorizationConfigurationError {
  return error instanceof AuthorizationConfigurationError;
}
