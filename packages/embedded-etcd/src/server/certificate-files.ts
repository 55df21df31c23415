import { readFileSync } from 'node:fs';
import type { CertificateFilePaths } from './tls-options.ts';
import type { TlsOptions } from './tls-options.ts';
import { messageOf } from '@kubechain/apimachinery/message-of';

/** How often files are looked at; a certificate is replaced long before it ends. */
const LOOK_MS = 5_000;

/** What such files hold. */
export type CertificatePem = Pick<TlsOptions, 'cert' | 'key' | 'trustedCa'>;

export interface FollowCertificateFilesOptions {
  /** What is in use: the files may have changed since they were read. */
  readonly inUse: CertificatePem;
  /** Uses something else from now on; open connections may stay. What it throws leaves the old ones in use. */
  readonly apply: (pem: CertificatePem) => void;
  readonly lookMs?: number;
}

/**
 * Applies what the files hold whenever it is something new; etcd reads them for each connection. What cannot be read or
 * applied is told in one line on stderr. Answers how to stop; does not keep the process alive.
 */
export function followCertificateFiles(
  paths: CertificateFilePaths,
  { inUse, apply, lookMs = LOOK_MS }: FollowCertificateFilesOptions,
): () => void {
  let seen = textOf(inUse);
  const timer = setInterval(() => {
    try {
      const pem = read(paths);
      const text = textOf(pem);
      if (text === seen) return;
      // What is broken is not tried, nor told, again.
      seen = text;
      apply(pem);
    } catch (error) {
      // A file that is gone is about to be replaced.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        process.stderr.write(
          `embedded-etcd: certificates changed and cannot be used, the old ones stay: ${messageOf(error)}\n`,
        );
    }
  }, lookMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

function read({ certFile, keyFile, trustedCaFile }: CertificateFilePaths): CertificatePem {
  return {
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    ...(trustedCaFile === undefined ? {} : { trustedCa: readFileSync(trustedCaFile) }),
  };
}

function textOf({ cert, key, trustedCa = '' }: CertificatePem): string {
  return [cert, key, trustedCa].map(String).join('\n');
}
