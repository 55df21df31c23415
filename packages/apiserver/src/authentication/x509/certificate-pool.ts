import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { certificatesOf } from '../../certificates/certificates-of.ts';
import { unusableFlag } from '../../options/options-error.ts';
import { FileContent } from '../../files/file-content.ts';
import { AuthenticationError } from '../authentication-error.ts';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0';
/** Certificates between leaf and root; far more than anybody uses, small enough to bound the search. */
const MAX_INTERMEDIATES = 8;

/** The CAs of one flag, and whether a client certificate leads to one of them. Immutable. */
export class CertificatePool {
  readonly #roots: readonly X509Certificate[];
  /** The text it was made of, for where it is published (ConfigMap extension-apiserver-authentication). */
  readonly pem: string;

  constructor(pem: string) {
    this.pem = pem;
    this.#roots = certificatesOf(pem);
  }

  get size(): number {
    return this.#roots.length;
  }

  /**
   * Checks signature chain, validity times and the client-auth usage. Cheap enough for once a connection, not for once
   * a request.
   * @throws AuthenticationError `InvalidCertificate` with the reason
   */
  verifyClient(leaf: X509Certificate, intermediates: readonly X509Certificate[], nowMs: number): void {
    const usages = leaf.keyUsage as readonly string[] | undefined;
    if (usages !== undefined && !usages.includes(CLIENT_AUTH) && !usages.includes(ANY_EXTENDED_KEY_USAGE)) {
      throw new AuthenticationError('InvalidCertificate', 'x509: certificate specifies an incompatible key usage');
    }
    const rest = intermediates.slice(0, MAX_INTERMEDIATES);
    let certificate = leaf;
    for (;;) {
      assertValidAt(certificate, nowMs);
      const current = certificate;
      if (this.#roots.some((root) => sameCertificate(root, current) || (signed(root, current) && validAt(root, nowMs))))
        return;
      const next = rest.findIndex((candidate) => candidate.ca && signed(candidate, current));
      if (next === -1)
        throw new AuthenticationError('InvalidCertificate', 'x509: certificate signed by unknown authority');
      certificate = rest.splice(next, 1)[0]!;
    }
  }
}

/**
 * The pool of a file, which is another one after the file has changed.
 * @throws OptionsError naming the flag (given without dashes) when the file cannot be read or holds no certificate
 */
export function followCertificatePool(path: string, flag: string): () => CertificatePool {
  const content = new FileContent({ paths: [path], read: () => loadCertificatePool(path, flag) });
  return () => content.current;
}

/** @throws OptionsError as `followCertificatePool` */
export function loadCertificatePool(path: string, flag: string): CertificatePool {
  let pool: CertificatePool;
  try {
    pool = new CertificatePool(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw unusableFlag(flag, `cannot read certificates from '${path}': ${(cause as Error).message}`, cause);
  }
  if (pool.size === 0) throw unusableFlag(flag, `'${path}' holds no PEM certificate`);
  return pool;
}

function sameCertificate(a: X509Certificate, b: X509Certificate): boolean {
  return a.raw.equals(b.raw);
}

function signed(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function validAt(certificate: X509Certificate, nowMs: number): boolean {
  return certificate.validFromDate.getTime() <= nowMs && nowMs <= certificate.validToDate.getTime();
}

function assertValidAt(certificate: X509Certificate, nowMs: number): void {
  if (!validAt(certificate, nowMs)) {
    throw new AuthenticationError(
      'InvalidCertificate',
      `x509: certificate has expired or is not yet valid: current time ${new Date(nowMs).toISOString()} is outside ${certificate.validFromDate.toISOString()} to ${certificate.validToDate.toISOString()}`,
    );
  }
}
