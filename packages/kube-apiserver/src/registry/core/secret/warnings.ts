import { encodePEM, pemBlocks } from '@kubechain/apiserver/certificates';
import type { PEMBlock } from '@kubechain/apiserver/certificates';
import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/**
 * A TLS secret whose key and certificate do not go together, in the words of Go's tls.X509KeyPair (warningsForSecret of
 * pkg/registry/core/secret/strategy.go, 1.36).
 */
export function secretWarnings({ data = {}, type }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const problem = keyPairProblem(blocksOf(data['tls.crt']), blocksOf(data['tls.key']));
  return problem === undefined ? [] : [problem];
}

/** The first thing wrong; why a certificate cannot be read is not told apart. */
function keyPairProblem(certificates: readonly PEMBlock[], keys: readonly PEMBlock[]): string | undefined {
  const leaf = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (leaf === undefined) return noCertificate(certificates.map(({ type }) => type));
  const key = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (key === undefined) return noKey(keys.map(({ type }) => type));
  const certificate = attempt(() => new X509Certificate(leaf.bytes));
  if (certificate === undefined) return 'x509: malformed certificate';
  const privateKey = attempt(() => createPrivateKey(encodePEM(key.type, key.bytes)));
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return mismatch(certificate, privateKey);
}

function noCertificate(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  const [only = ''] = skipped;
  if (skipped.length === 1 && only.endsWith('PRIVATE KEY'))
    return (
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs ' +
      'may have been switched'
    );
  return (
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the ' +
    `following types: [${skipped.join(' ')}]`
  );
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  return (
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of ' +
    `the following types: [${skipped.join(' ')}]`
  );
}

function mismatch(certificate: X509Certificate, key: KeyObject): string | undefined {
  if (certificate.checkPrivateKey(key)) return undefined;
  return certificate.publicKey.asymmetricKeyType === key.asymmetricKeyType
    ? 'tls: private key does not match public key'
    : 'tls: private key type does not match public key type';
}

function blocksOf(base64 = ''): PEMBlock[] {
  return [...pemBlocks(Buffer.from(base64, 'base64'))];
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
