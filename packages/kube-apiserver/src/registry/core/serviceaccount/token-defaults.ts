import type { TokenRequest } from '@kubechain/apimachinery/types/authentication/v1';

/**
 * Tokens are good for an hour unless asked otherwise, also where nothing is asked at all (pkg/apis/authentication/v1,
 * 1.36).
 */
export function defaultTokenRequest(request: TokenRequest): void {
  const spec: Partial<TokenRequest['spec']> = request.spec ?? {};
  spec.expirationSeconds ??= 3600;
  Object.assign(request, { spec });
}
