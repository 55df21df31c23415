import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { LaunchError } from '../launch-error.ts';

/** A certificate and its private key, as PEM files. */
export interface KeyPairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Their content. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * What lies in the files; undefined when neither is there.
 * @throws LaunchError `Certificates` naming the file when one is missing, unreadable, corrupt, or they do not belong
 * together
 */
export function readKeyPair({ certFile, keyFile }: KeyPairFiles): KeyPair | undefined {
  const hasCert = existsSync(certFile);
  const hasKey = existsSync(keyFile);
  if (!hasCert && !hasKey) return undefined;
  if (!hasCert || !hasKey) throw unusable(hasCert ? keyFile : certFile, 'is missing', undefined);
  const cert = readText(certFile);
  const key = readText(keyFile);
  const certificate = attempt(certFile, 'is no certificate', () => new X509Certificate(cert));
  const privateKey = attempt(keyFile, 'is no private key', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) throw unusable(keyFile, `is not the key of '${certFile}'`, undefined);
  return { cert, key };
}

/** Readable by its owner only. The certificate comes last, so that a crash between them is noticed. */
export function writeKeyPair({ certFile, keyFile }: KeyPairFiles, { cert, key }: KeyPair): void {
  writePrivateFile(keyFile, key);
  writePrivateFile(certFile, cert);
}

/** Whole or not at all, mode 0600. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (cause) {
    throw new LaunchError('Certificates', `cannot write '${path}': ${(cause as Error).message}`, { cause });
  }
}

function readText(path: string): string {
  return attempt(path, 'cannot be read', () => readFileSync(path, 'utf8'));
}

function attempt<T>(path: string, what: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw unusable(path, what, cause);
  }
}

function unusable(path: string, what: string, cause: unknown): LaunchError {
  const reason = cause instanceof Error ? ` (${cause.message.split('\n', 1)[0]})` : '';
  return new LaunchError(
    'Certificates',
    `'${path}' ${what}${reason}: put it right, or delete it and its partner to have them made anew`,
    { cause },
  );
}
