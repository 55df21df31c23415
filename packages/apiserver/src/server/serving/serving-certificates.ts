import type { SecureContext, SecureContextOptions } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { messageOf } from '@kubechain/apimachinery';
import { certificatesOf } from '../../certificates/certificates-of.ts';
import { namesakesOf } from '../../certificates/namesakes.ts';
import { FileContent } from '../../files/file-content.ts';
import { readFlagFile } from '../../options/read-flag-file.ts';
import { unusableFlag } from '../../options/options-error.ts';
import { nodeTLS } from '../../certificates/node-tls.ts';

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
  /** Files of the authorities that clients are told as acceptable; default: none is named, any may come. */
  readonly clientAuthorities?: readonly AuthorityFile[];
}

/** A bundle of authorities, and the flag that names it. */
export interface AuthorityFile {
  readonly file: string;
  readonly flag: string;
}

/** What a listener's TLS is made with. */
export interface ServingTLS extends Pick<SecureContextOptions, 'minVersion' | 'ciphers'> {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Names of acceptable authorities and nothing to verify against: `namesakesOf`. */
  readonly ca: string[];
}

interface Loaded {
  readonly files: CertificateFiles;
  readonly tls: ServingTLS;
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
    const { main, sni, clientAuthorities = [] } = options;
    this.#content = new FileContent<LoadedCertificates>({
      paths: [
        ...[main, ...sni].flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
        ...clientAuthorities.map(({ file }) => file),
      ],
      read: () => {
        const ca = namesakesOf(clientAuthorities.flatMap(authoritiesIn));
        return {
          main: this.#load(main, ca, { cert: 'tls-cert-file', key: 'tls-private-key-file' }),
          sni: sni.map((files) => this.#load(files, ca, { cert: 'tls-sni-cert-key', key: 'tls-sni-cert-key' })),
        };
      },
    });
  }

  /** The default certificate, and what all have alike. */
  get main(): ServingTLS {
    return this.#content.current.main.tls;
  }

  /** For tls.createServer: the certificate for a name, or undefined for the default one. */
  contextFor(serverName: string): SecureContext | undefined {
    const { sni } = this.#content.current;
    if (sni.length === 0) return undefined;
    const name = serverName.toLowerCase();
    return sni.find(({ names }) => names.some((pattern) => nameMatches(pattern, name)))?.context;
  }

  /** Looks for changed files until `close`; `onChange` gets the default certificate after all were loaded again. */
  watch(onChange: (main: ServingTLS) => void, intervalMs?: number): void {
    this.#stop();
    this.#stop = this.#content.follow(({ main }) => {
      onChange(main.tls);
    }, intervalMs);
  }

  close(): void {
    this.#stop();
  }

  #load(files: CertificateFiles, ca: string[], flags: { readonly cert: string; readonly key: string }): Loaded {
    const cert = readFlagFile(files.certFile, flags.cert);
    const key = readFlagFile(files.keyFile, flags.key);
    let parsed: X509Certificate;
    try {
      parsed = new X509Certificate(cert);
    } catch (error) {
      throw unusableFlag(flags.cert, `${files.certFile} is no PEM certificate`, error);
    }
    try {
      const tls = { cert, key, ca, ...this.#options.tls };
      return {
        files,
        tls,
        context: nodeTLS().createSecureContext(tls),
        names: files.names ?? namesOf(parsed),
      };
    } catch (error) {
      throw unusableFlag(flags.key, `${files.keyFile} does not fit ${files.certFile}: ${messageOf(error)}`, error);
    }
  }
}

function authoritiesIn({ file, flag }: AuthorityFile): readonly X509Certificate[] {
  const pem = readFlagFile(file, flag);
  try {
    return certificatesOf(pem);
  } catch (error) {
    throw unusableFlag(flag, `cannot read certificates from '${file}': ${messageOf(error)}`, error);
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
