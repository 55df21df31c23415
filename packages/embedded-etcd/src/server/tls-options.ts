/** Paths of PEM files, as the flags name them. */
export interface CertificateFilePaths {
  readonly certFile: string;
  readonly keyFile: string;
  readonly trustedCaFile?: string | undefined;
}

/** Certificates as PEM text. */
export interface TlsOptions {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Authorities that sign client certificates. */
  readonly trustedCa?: string | Buffer | undefined;
  /** Refuse clients without a certificate signed by `trustedCa`. */
  readonly clientCertAuth?: boolean;
  /** Files that the three were read from: when they change, new connections get what they hold then. */
  readonly files?: CertificateFilePaths;
}
