import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { createCertificate } from '@kubechain/apiserver/certificates';
import type { CertificateRequest } from './certificate-request.ts';
import type { KeyPair } from './key-pair-files.ts';

const generate = promisify(generateKeyPair);
const DAY_MS = 24 * 3600 * 1000;
/** Clocks of clients may be behind. */
const BACKDATE_MS = 3600 * 1000;
const EXPIRED_FROM_DAYS = 31;

/** Makes a key and a certificate for it, signed by `issuer`, or by itself without one. */
export async function issueCertificate(
  request: CertificateRequest,
  options: { readonly issuer?: KeyPair; readonly nowMs: number },
): Promise<KeyPair> {
  // fabric8 and other JVM clients read elliptic keys only with a library that they do not bring along.
  const keys =
    request.keyType === 'rsa'
      ? await generate('rsa', { modulusLength: 2048 })
      : await generate('ec', { namedCurve: 'P-256' });
  const { issuer, nowMs } = options;
  const cert = createCertificate({
    commonName: request.commonName,
    isCA: request.usage === 'ca',
    ...(request.organization === undefined ? {} : { organization: request.organization }),
    ...(request.usage === 'ca' ? {} : { extendedUsages: [request.usage === 'server' ? 'serverAuth' : 'clientAuth'] }),
    ...(request.names === undefined ? {} : { names: request.names }),
    notBefore: new Date(nowMs - BACKDATE_MS),
    notAfter: new Date(nowMs + request.validityDays * DAY_MS),
    publicKey: keys.publicKey,
    signingKey: issuer === undefined ? keys.privateKey : createPrivateKey(issuer.key),
    ...(issuer === undefined ? {} : { issuer: issuer.cert }),
  });
  return { cert, key: privatePEM(keys.privateKey) };
}

/** A server's certificate for a key that is there, which has expired yesterday. */
export function expiredCertificate({
  commonName,
  issuer,
  key,
  names,
  nowMs,
}: {
  readonly commonName: string;
  readonly names: readonly string[];
  readonly key: KeyObject;
  readonly issuer: KeyPair;
  readonly nowMs: number;
}): string {
  return createCertificate({
    commonName,
    isCA: false,
    extendedUsages: ['serverAuth'],
    names,
    notBefore: new Date(nowMs - EXPIRED_FROM_DAYS * DAY_MS),
    notAfter: new Date(nowMs - DAY_MS),
    publicKey: createPublicKey(key),
    signingKey: createPrivateKey(issuer.key),
    issuer: issuer.cert,
  });
}

/**
 * A key pair for signing tokens: private (PKCS#8) and public (SPKI) PEM. RSA, since not every verifier of OpenID tokens
 * knows more than RS256.
 */
export async function generateSigningKeys(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
  return {
    privateKey: privatePEM(privateKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

function privatePEM(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
