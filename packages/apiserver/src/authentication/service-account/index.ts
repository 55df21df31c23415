/** Entry point `@kubechain/apiserver/tokens`: how tokens of service accounts are written and signed. */
export { LEGACY_ISSUER, legacyClaims } from './legacy-claims.ts';
export { signJWT } from './jwt.ts';
export { EXPIRATION_EXTENSION_SECONDS, WARN_ONLY_BOUND_TOKEN_EXPIRATION_SECONDS } from './claims.ts';
export { loadSigningKey, loadVerificationKeys, signingKey, verificationKey } from './keys.ts';
export type { SigningKey, VerificationKey } from './keys.ts';
export { ExternalTokenGenerator } from './external-token-generator.ts';
export { externalSignerFromFlags } from './external-signer-from-flags.ts';
export type { ExternalSigner } from './external-signer.ts';
export { TokenGenerator } from './token-generator.ts';
export type { GeneratesTokens } from './token-generator.ts';
export { splitServiceAccountUsername } from './username.ts';
