/** What a certificate is to say. */
export interface CertificateRequest {
  readonly commonName: string;
  /** One, or several: a client's groups. */
  readonly organization?: string | readonly string[];
  readonly usage: 'ca' | 'server' | 'client';
  /** DNS names and IP addresses of a server. */
  readonly names?: readonly string[];
  readonly validityDays: number;
  /** Default: ECDSA P-256. RSA (2048 bits) for keys that clients of every kind must be able to read. */
  readonly keyType?: 'rsa';
}
