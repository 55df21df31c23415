import { generateKeyPair } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCertificate } from './create-certificate.ts';
import { unusableFlag } from '../options/options-error.ts';

const yearMs = 365 * 86_400_000;

/** Where the certificate and its key lie. */
export interface SelfSignedFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

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
export async function selfSignedCertificate({ directory, address }: SelfSignedOptions): Promise<SelfSignedFiles> {
  const files: SelfSignedFiles = {
    certFile: join(directory, 'apiserver.crt'),
    keyFile: join(directory, 'apiserver.key'),
  };
  if (existsSync(files.certFile) && existsSync(files.keyFile)) return files;
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const host = hostname();
  const certificate = createCertificate({
    commonName: `${host}@${Math.floor(now / 1_000)}`,
    isCA: true,
    extendedUsages: ['serverAuth'],
    names: [
      ...new Set([
        'localhost',
        host,
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        '127.0.0.1',
        ...(address === '' || address === '0.0.0.0' || address === '::' ? [] : [address]),
      ]),
    ],
    notBefore: new Date(now - 3_600_000),
    notAfter: new Date(now + yearMs),
    publicKey,
    signingKey: privateKey,
  });
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    writeFileSync(files.keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    writeFileSync(files.certFile, certificate, { mode: 0o644 });
  } catch (error) {
    throw unusableFlag(
      'cert-dir',
      `cannot write a self-signed certificate to ${directory}: ` +
        `${(error as NodeJS.ErrnoException).code ?? String(error)}; give --tls-cert-file and ` +
        '--tls-private-key-file, or another directory',
      error,
    );
  }
  return files;
}
