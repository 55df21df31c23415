import 'reflect-metadata';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { webcrypto } from 'node:crypto';

/** A certificate that vouches for itself, and its key, as PEM. */
export interface SelfSigned {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Makes a certificate for 127.0.0.1 that is its own authority. */
export async function selfSigned(name: string): Promise<SelfSigned> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
    extensions: [
      new BasicConstraintsExtension(true),
      new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    cert: Buffer.from(certificate.toString('pem')),
    key: Buffer.from(`-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`),
  };
}
