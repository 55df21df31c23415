import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { certificatesOf } from '../../certificates/certificates-of.ts';
import { unusableFlag } from '../../options/options-error.ts';
import { FileContent } from '../../files/file-content.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { chainProblem } from '../../certificates/verify-chain.ts';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
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
   * Checks the chain as Go's x509 does, for the client-auth usage (`chainProblem`). Cheap enough for once a
   * connection, not for once a request.
   * @throws AuthenticationError `InvalidCertificate` with the reason
   */
  verifyClient(leaf: X509Certificate, intermediates: readonly X509Certificate[], nowMs: number): void {
    const problem = chainProblem(leaf, {
      roots: this.#roots,
      intermediates: intermediates.slice(0, MAX_INTERMEDIATES),
      nowMs,
      extendedKeyUsage: CLIENT_AUTH,
    });
    if (problem !== undefined) throw new AuthenticationError('InvalidCertificate', problem);
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
