import type { TokenRequest } from '@kubechain/apimachinery/types/authentication/v1';

/** Tokens are good for an hour unless asked otherwise (pkg/apis/authentication/v1, 1.36). */
export function defaultTokenRequest(request: TokenRequest): void {
  if (request.spec !== undefined) request.spec.expirationSeconds ??= 3600;
}
