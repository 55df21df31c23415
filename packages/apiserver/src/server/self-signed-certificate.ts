import { webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { unusableFlag } from '../options/options-error.ts';
import type { CertificateFiles } from './serving-certificates.ts';

const yearMs = 365 * 86_400_000;

/** For whom a certificate is made. */
export interface SelfSignedOptions {
  /** --cert-dir; the files are `apiserver.crt` and `apiserver.key`, as upstream names them. */
  readonly directory: string;
  /** --bind-address; a name for it goes into the certificate. */
  readonly address: string;
}

/**
 * The serving certificate of a server that was given none: made once, kept in --cert-dir.
 * @throws OptionsError when the directory cannot be written
 */
export async function selfSignedCertificate({ directory, address }: SelfSignedOptions): Promise<CertificateFiles> {
  const files: CertificateFiles = { certFile: join(directory, 'apiserver.crt'), keyFile: join(directory, 'apiserver.key') };
  if (existsSync(files.certFile) && existsSync(files.keyFile)) return files;
  // Loaded for the one start that needs it.
  await import('reflect-metadata');
  const { X509CertificateGenerator, SubjectAlternativeNameExtension, ExtendedKeyUsageExtension, KeyUsagesExtension, KeyUsageFlags, BasicConstraintsExtension } = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const host = hostname();
  const addresses = new Set(['127.0.0.1', ...(address === '' || address === '0.0.0.0' || address === '::' || address === 'localhost' ? [] : [address])]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}@${Math.floor(now / 1_000)}`, keys, signingAlgorithm: algorithm,
    notBefore: new Date(now - 3_600_000), notAfter: new Date(now + yearMs),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true), new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign, true), new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
      new SubjectAlternativeNameExtension([...['localhost', host, 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'].map((value) => ({ type: 'dns' as const, value })), ...[...addresses].map((value) => ({ type: 'ip' as const, value }))]),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64').replaceAll(/(.{64})/g, '$1\n');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    writeFileSync(files.keyFile, `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`, { mode: 0o600 });
    writeFileSync(files.certFile, `${certificate.toString('pem')}\n`, { mode: 0o644 });
  } catch (error) {
    throw unusableFlag('cert-dir', `cannot write a self-signed certificate to ${directory}: ${(error as NodeJS.ErrnoException).code ?? String(error)}; give --tls-cert-file and --tls-private-key-file, or another directory`, error);
  }
  return files;
}
