import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { FileChanges } from '../files/file-changes.ts';
import { Logger } from '../logging/logger.ts';
import { unusableFlag } from '../options/options-error.ts';

const log = new Logger('serving');

/** How often files are looked at for a change; a stat each, no wake-up of an idle disk. */
const pollMs = 5_000;

/** PEM files of one certificate; `names` are the SNI names that it is for (default: those in the certificate). */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly names?: readonly string[];
}

/** The certificates of a listener. */
export interface ServingCertificatesOptions {
  readonly main: CertificateFiles;
  /** --tls-sni-cert-key, first match wins. */
  readonly sni: readonly CertificateFiles[];
  /** Protocol versions and ciphers, for every certificate. */
  readonly tls: Pick<SecureContextOptions, 'minVersion' | 'ciphers'>;
}

interface Loaded {
  readonly files: CertificateFiles;
  readonly pem: { readonly cert: Buffer; readonly key: Buffer };
  readonly context: SecureContext;
  readonly names: readonly string[];
}

/**
 * Serving certificates from files: the default one, those chosen by SNI, and their replacement when a file changes
 * (certificates are rotated while a server runs). A change that does not load is logged and the old one stays.
 */
export class ServingCertificates {
  readonly #options: ServingCertificatesOptions;
  #main: Loaded;
  #sni: readonly Loaded[];
  readonly #files: FileChanges;
  #onChange: (() => void) | undefined = undefined;

  /** @throws OptionsError that names the flag of an unreadable or unusable file */
  constructor(options: ServingCertificatesOptions) {
    this.#options = options;
    this.#files = new FileChanges(
      [options.main, ...options.sni].flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
    );
    this.#main = this.#load(options.main, 'tls-cert-file', 'tls-private-key-file');
    this.#sni = options.sni.map((files) => this.#load(files, 'tls-sni-cert-key', 'tls-sni-cert-key'));
  }

  /** The default certificate, as PEM. */
  get main(): { readonly cert: Buffer; readonly key: Buffer } {
    return this.#main.pem;
  }

  /** For tls.createServer: the certificate for a name, or undefined for the default one. */
  contextFor(serverName: string): SecureContext | undefined {
    if (this.#sni.length === 0) return undefined;
    const name = serverName.toLowerCase();
    return this.#sni.find(({ names }) => names.some((pattern) => nameMatches(pattern, name)))?.context;
  }

  /** Looks for changed files until `close`; `onChange` is called after certificates were loaded again. */
  watch(onChange: () => void, intervalMs = pollMs): void {
    this.#onChange = onChange;
    this.#files.watch(this.#reload, intervalMs);
  }

  close(): void {
    this.#files.stop();
  }

  readonly #reload = (): void => {
    try {
      this.#main = this.#load(this.#options.main, 'tls-cert-file', 'tls-private-key-file');
      this.#sni = this.#options.sni.map((files) => this.#load(files, 'tls-sni-cert-key', 'tls-sni-cert-key'));
      log.info('Reloaded serving certificates');
      this.#onChange?.();
    } catch (error) {
      log.error('Serving certificates changed but cannot be used; the old ones stay', error);
    }
  };

  #load(files: CertificateFiles, certFlag: string, keyFlag: string): Loaded {
    const cert = readFlagFile(files.certFile, certFlag);
    const key = readFlagFile(files.keyFile, keyFlag);
    let parsed: X509Certificate;
    try {
      parsed = new X509Certificate(cert);
    } catch (error) {
      throw unusableFlag(certFlag, `${files.certFile} is no PEM certificate`, error);
    }
    try {
      return {
        files,
        pem: { cert, key },
        context: createSecureContext({ cert, key, ...this.#options.tls }),
        names: files.names ?? namesOf(parsed),
      };
    } catch (error) {
      throw unusableFlag(
        keyFlag,
        `${files.keyFile} does not fit ${files.certFile}: ${error instanceof Error ? error.message : String(error)}`,
        error,
      );
    }
  }
}

/** @throws OptionsError that names the flag */
export function readFlagFile(path: string, flag: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'no such file'
        : code === 'EACCES'
          ? 'permission denied'
          : code === 'EISDIR'
            ? 'is a directory'
            : String(error instanceof Error ? error.message : error);
    throw unusableFlag(flag, `cannot read ${path}: ${reason}`, error);
  }
}

/** DNS names of a certificate, and its common name when it has none. */
function namesOf(certificate: X509Certificate): readonly string[] {
  const names = (certificate.subjectAltName ?? '')
    .split(', ')
    .filter((entry) => entry.startsWith('DNS:'))
    .map((entry) => entry.slice(4).toLowerCase());
  if (names.length > 0) return names;
  const commonName = /^CN=(.+)$/m.exec(certificate.subject)?.[1];
  return commonName === undefined ? [] : [commonName.toLowerCase()];
}

/** `*.example.com` covers exactly one label. */
function nameMatches(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  return pattern.startsWith('*.') && name.indexOf('.') > 0 && name.slice(name.indexOf('.')) === pattern.slice(1);
}
