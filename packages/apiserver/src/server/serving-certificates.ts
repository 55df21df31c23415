import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { messageOf } from '@kubechain/apimachinery';
import { FileContent } from '../files/file-content.ts';
import { readFlagFile } from '../files/read-flag-file.ts';
import { unusableFlag } from '../options/options-error.ts';

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

/** All certificates of a listener, as they were read together. */
interface LoadedCertificates {
  readonly main: Loaded;
  readonly sni: readonly Loaded[];
}

/**
 * Serving certificates from files: the default one, those chosen by SNI, and their replacement when a file changes
 * (certificates are rotated while a server runs). A change that does not load is logged and the old one stays.
 */
export class ServingCertificates {
  readonly #options: ServingCertificatesOptions;
  readonly #content: FileContent<LoadedCertificates>;
  #stop = (): void => undefined;

  /** @throws OptionsError that names the flag of an unreadable or unusable file */
  constructor(options: ServingCertificatesOptions) {
    this.#options = options;
    const { main, sni } = options;
    this.#content = new FileContent<LoadedCertificates>({
      paths: [main, ...sni].flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
      read: () => ({
        main: this.#load(main, 'tls-cert-file', 'tls-private-key-file'),
        sni: sni.map((files) => this.#load(files, 'tls-sni-cert-key', 'tls-sni-cert-key')),
      }),
    });
  }

  /** The default certificate, as PEM. */
  get main(): { readonly cert: Buffer; readonly key: Buffer } {
    return this.#content.current.main.pem;
  }

  /** For tls.createServer: the certificate for a name, or undefined for the default one. */
  contextFor(serverName: string): SecureContext | undefined {
    const { sni } = this.#content.current;
    if (sni.length === 0) return undefined;
    const name = serverName.toLowerCase();
    return sni.find(({ names }) => names.some((pattern) => nameMatches(pattern, name)))?.context;
  }

  /** Looks for changed files until `close`; `onChange` gets the default certificate after all were loaded again. */
  watch(onChange: (main: { readonly cert: Buffer; readonly key: Buffer }) => void, intervalMs?: number): void {
    this.#stop();
    this.#stop = this.#content.follow(({ main }) => {
      onChange(main.pem);
    }, intervalMs);
  }

  close(): void {
    this.#stop();
  }

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
      throw unusableFlag(keyFlag, `${files.keyFile} does not fit ${files.certFile}: ${messageOf(error)}`, error);
    }
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
