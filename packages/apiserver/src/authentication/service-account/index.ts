/** Entry point `@kubechain/apiserver/tokens`: how tokens of service accounts are written and signed. */
export { LEGACY_ISSUER, legacyClaims } from './legacy-claims.ts';
export { signJWT } from './jwt.ts';
export { signingKey } from './keys.ts';
export type { SigningKey } from './keys.ts';
