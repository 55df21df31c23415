import { createPublicKey, type KeyObject } from 'node:crypto';
import { keyID, signingKey, verificationKey, type SigningKey, type VerificationKey } from './service-account/keys.ts';

/** What a server is given in place of files: who its administrator is, and what tokens are signed with. */
export interface ServerSecrets {
  /** Bearer token of the administrator. */
  readonly token: string;
  readonly signing: SigningKey;
  readonly verification: VerificationKey;
}

/** @throws AuthenticationError for keys that tokens cannot be signed with */
export function serverSecrets(token: string, key: KeyObject): ServerSecrets {
  const publicKey = createPublicKey(key);
  const id = keyID(publicKey);
  return { token, signing: signingKey(key, id), verification: verificationKey(publicKey, id) };
}
