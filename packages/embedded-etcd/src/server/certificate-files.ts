import { readFileSync } from 'node:fs';
import { FollowedFiles } from '@kubechain/apimachinery/followed-files';
import { messageOf } from '@kubechain/apimachinery/message-of';
import type { CertificateFilePaths } from './tls-options.ts';
import type { TlsOptions } from './tls-options.ts';

/** What such files hold. */
export type CertificatePem = Pick<TlsOptions, 'cert' | 'key' | 'trustedCa'>;

export interface FollowCertificateFilesOptions {
  /** What is in use: the files may have changed since they were read. */
  readonly inUse: CertificatePem;
  /** Uses something else from now on; open connections may stay. What it throws leaves the old ones in use. */
  readonly apply: (pem: CertificatePem) => void;
  /** Between two looks at the files; default five seconds. */
  readonly lookMs?: number;
}

/**
 * Applies what the files hold whenever it is something new; etcd reads them for each connection. What cannot be read or
 * applied is told in one line on stderr. Answers how to stop; does not keep the process alive.
 */
export function followCertificateFiles(
  paths: CertificateFilePaths,
  { inUse, apply, lookMs }: FollowCertificateFilesOptions,
): () => void {
  const { certFile, keyFile, trustedCaFile } = paths;
  let seen = textOf(inUse);
  const use = (pem: CertificatePem): void => {
    const text = textOf(pem);
    if (text === seen) return;
    // What is broken is not tried, nor told, again.
    seen = text;
    apply(pem);
  };
  const files = new FollowedFiles({
    paths: [certFile, keyFile, ...(trustedCaFile === undefined ? [] : [trustedCaFile])],
    read: () => read(paths),
    onReload: () => undefined,
    onError,
  });
  try {
    use(files.current);
  } catch (error) {
    onError(error);
  }
  return files.follow(use, lookMs);
}

function onError(error: unknown): void {
  process.stderr.write(
    `embedded-etcd: certificates changed and cannot be used, the old ones stay: ${messageOf(error)}\n`,
  );
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
