import { parseJSON } from '@kubechain/apimachinery';
import { constants, sign as signBytes, verify as verifyBytes, type SigningOptions, type KeyObject } from 'node:crypto';
import { AuthenticationError } from '../authentication-error.ts';
import type { JWTAlgorithm, SigningKey, VerificationKey } from './keys.ts';

/** Claims as JSON; which ones there must be is for the reader to say. */
export type JWTClaims = Record<string, unknown>;

/** A token taken apart, nothing in it believed yet. */
export interface ParsedJWT {
  /** `alg`: undefined for what no key can be checked with. */
  readonly header: { readonly alg: JWTAlgorithm | undefined; readonly kid: string };
  readonly claims: JWTClaims;
  readonly signedBytes: Buffer;
  readonly signature: Buffer;
}

const HASHES: Readonly<Record<JWTAlgorithm, string>> = {
  RS256: 'sha256',
  RS384: 'sha384',
  RS512: 'sha512',
  PS256: 'sha256',
  PS384: 'sha384',
  PS512: 'sha512',
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
};

/** The second part of a token: the claims in key order. */
export function payloadOf(claims: JWTClaims): string {
  return encode(Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** A compact JWS with its claims in key order, as the reference's signer writes them. */
export function signJWT(claims: JWTClaims, signer: SigningKey): string {
  const header = encode({ alg: signer.algorithm, kid: signer.id });
  const payload = payloadOf(claims);
  const signature = signBytes(
    HASHES[signer.algorithm],
    Buffer.from(`${header}.${payload}`),
    keyOptions(signer.key, signer.algorithm),
  );
  return `${header}.${payload}.${signature.toString('base64url')}`;
}

/**
 * The claims of something that looks like a JWT, unverified; undefined for anything else. Only for deciding whose token
 * it may be.
 */
export function peekClaims(token: string): JWTClaims | undefined {
  const parts = token.split('.');
  return parts.length === 3 && isBase64URL(parts[1]!) ? decodeObject(parts[1]!) : undefined;
}

/** Undefined when the text is no compact JWS. */
export function parseJWT(token: string): ParsedJWT | undefined {
  const [header, payload, signature, ...rest] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined;
  if (!isBase64URL(header) || !isBase64URL(payload) || !isBase64URL(signature)) return undefined;
  const fields = decodeObject(header);
  const claims = decodeObject(payload);
  if (fields === undefined || claims === undefined) return undefined;
  const { alg, kid, crit, b64 } = fields;
  // Extensions that change what is signed are not understood here, so such a token cannot be checked.
  const known = crit === undefined && b64 === undefined && typeof alg === 'string' && Object.hasOwn(HASHES, alg);
  return {
    header: { alg: known ? (alg as JWTAlgorithm) : undefined, kid: typeof kid === 'string' ? kid : '' },
    claims,
    signedBytes: Buffer.from(token.slice(0, header.length + 1 + payload.length)),
    signature: Buffer.from(signature, 'base64url'),
  };
}

/**
 * Checks the signature with those keys that carry the token's key id (all keys when it names none). @throws
 * AuthenticationError `InvalidToken`
 */
export function verifyJWT(token: ParsedJWT, keys: readonly VerificationKey[]): void {
  const { alg, kid } = token.header;
  const candidates = kid === '' ? keys : keys.filter((key) => key.id === kid);
  if (candidates.length === 0) throw new AuthenticationError('InvalidToken', 'invalid signature, no keys found');
  for (const { key, algorithms } of candidates) {
    if (
      alg !== undefined &&
      algorithms.includes(alg) &&
      verifyBytes(HASHES[alg], token.signedBytes, keyOptions(key, alg), token.signature)
    )
      return;
  }
  throw new AuthenticationError('InvalidToken', 'go-jose/go-jose: error in cryptographic primitive');
}

function keyOptions(key: KeyObject, algorithm: JWTAlgorithm): SigningOptions & { key: KeyObject } {
  if (algorithm.startsWith('ES')) return { key, dsaEncoding: 'ieee-p1363' };
  if (algorithm.startsWith('PS'))
    return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return { key, padding: constants.RSA_PKCS1_PADDING };
}

function isBase64URL(text: string): boolean {
  return text.length % 4 !== 1 && /^[A-Za-z0-9_-]*$/.test(text);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decodeObject(part: string): JWTClaims | undefined {
  try {
    const value: unknown = parseJSON(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JWTClaims) : undefined;
  } catch {
    return undefined;
  }
}
