import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AuthenticationError } from '../authentication-error.ts';
import { encodePEM, pemBlocks } from '../../certificates/pem.ts';
import { unusableFlag } from '../../options/options-error.ts';

export type JWTAlgorithm = 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512';

/** A key that tokens are checked with. */
export interface VerificationKey {
  /** base64url(SHA-256(DER public key)), as the `kid` of tokens. */
  readonly id: string;
  readonly key: KeyObject;
  readonly algorithms: readonly JWTAlgorithm[];
}

/** Where keys come from that are not those of files. */
export interface KeySource {
  /** Keys of an id; all of them for ''. */
  of(id: string): Promise<readonly VerificationKey[]>;
}

/** The key that tokens are signed with. */
export interface SigningKey {
  readonly id: string;
  readonly key: KeyObject;
  readonly algorithm: JWTAlgorithm;
}

const RSA_ALGORITHMS: readonly JWTAlgorithm[] = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const CURVE_ALGORITHMS: Readonly<Record<string, JWTAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** Key id of a public key; tells nothing of the key itself. Source: pkg/serviceaccount keyIDFromPublicKey. */
export function keyID(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

/**
 * @param id of the key, where it is known
 * @throws AuthenticationError for keys other than RSA and ECDSA P-256, P-384, P-521
 */
export function verificationKey(key: KeyObject, id?: string): VerificationKey {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return {
    id: id ?? keyID(publicKey),
    key: publicKey,
    algorithms: publicKey.asymmetricKeyType === 'rsa' ? RSA_ALGORITHMS : [curveAlgorithm(publicKey)],
  };
}

/**
 * RSA signs RS256, ECDSA what its curve says.
 * @param id of the key, where it is known
 * @throws AuthenticationError for other keys
 */
export function signingKey(key: KeyObject, id?: string): SigningKey {
  return {
    id: id ?? keyID(createPublicKey(key)),
    key,
    algorithm: key.asymmetricKeyType === 'rsa' ? 'RS256' : curveAlgorithm(key),
  };
}

function curveAlgorithm(key: KeyObject): JWTAlgorithm {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const algorithm = curve === undefined ? undefined : CURVE_ALGORITHMS[curve];
  if (algorithm === undefined)
    throw new AuthenticationError(
      'InvalidRequest',
      `unsupported key type ${key.asymmetricKeyType ?? 'unknown'}: must be RSA, or ECDSA with curve P-256, ` +
        'P-384 or P-521',
    );
  return algorithm;
}

/**
 * --service-account-key-file: every public key, private key and certificate of a PEM file.
 * @throws OptionsError naming flag and file
 */
export function loadVerificationKeys(path: string): VerificationKey[] {
  const pem = readPEM('service-account-key-file', path);
  const keys: VerificationKey[] = [];
  for (const { type, bytes } of pemBlocks(pem)) {
    if (type === 'EC PARAMETERS') continue;
    try {
      keys.push(verificationKey(createPublicKey(encodePEM(type, bytes))));
    } catch (cause) {
      throw unusableFlag('service-account-key-file', `'${path}': ${(cause as Error).message}`, cause);
    }
  }
  if (keys.length === 0)
    throw unusableFlag('service-account-key-file', `'${path}' holds no valid public RSA or ECDSA key`);
  return keys;
}

/** --service-account-signing-key-file. @throws OptionsError naming flag and file */
export function loadSigningKey(path: string): SigningKey {
  const pem = readPEM('service-account-signing-key-file', path);
  try {
    return signingKey(createPrivateKey(pem));
  } catch (cause) {
    throw unusableFlag(
      'service-account-signing-key-file',
      `'${path}' holds no usable private key: ${(cause as Error).message}`,
      cause,
    );
  }
}

function readPEM(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw unusableFlag(flag, `cannot read '${path}': ${(cause as Error).message}`, cause);
  }
}
