import { X509Certificate, type KeyObject } from 'node:crypto';
import { assembleCertificate, certificateOIDs, extension, issuerParts } from './create-certificate.ts';
import { element, namedBits, oid, sequence } from './der.ts';
import type { CertificateRequestContent } from './certificate-request.ts';

/** Who signs, for how long and for what. */
export interface SignRequestOptions {
  /** PEM of the authority's certificate. */
  readonly issuer: string;
  /** The authority's. */
  readonly signingKey: KeyObject;
  readonly notBefore: Date;
  /** No later than the authority's own end. */
  readonly notAfter: Date;
  /** In the words of CertificateSigningRequests, e.g. `client auth`. */
  readonly usages: readonly string[];
}

/** Bits of KeyUsage by the names that requests use (RFC 5280 4.2.1.3). */
const keyUsageBits: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
};
/** Purposes by the names that requests use, in the order in which Go numbers them. */
const purposes: readonly (readonly [oid: string, ...names: readonly string[]])[] = [
  ['2.5.29.37.0', 'any'],
  ['1.3.6.1.5.5.7.3.1', 'server auth'],
  ['1.3.6.1.5.5.7.3.2', 'client auth'],
  ['1.3.6.1.5.5.7.3.3', 'code signing'],
  ['1.3.6.1.5.5.7.3.4', 'email protection', 's/mime'],
  ['1.3.6.1.5.5.7.3.5', 'ipsec end system'],
  ['1.3.6.1.5.5.7.3.6', 'ipsec tunnel'],
  ['1.3.6.1.5.5.7.3.7', 'ipsec user'],
  ['1.3.6.1.5.5.7.3.8', 'timestamping'],
  ['1.3.6.1.5.5.7.3.9', 'ocsp signing'],
  ['1.3.6.1.4.1.311.10.3.3', 'microsoft sgc'],
  ['2.16.840.1.113730.4.1', 'netscape sgc'],
];
const emptyName = sequence();

/**
 * The certificate that a request gets, as PEM: its subject, key and names; usages and times as `options` say; never an
 * authority (pkg/controller/certificates/authority, 1.36).
 */
export function signRequest(request: CertificateRequestContent, options: SignRequestOptions): string {
  const issuer = issuerParts(options.issuer);
  const bits = [...new Set(options.usages.map((usage) => keyUsageBits[usage]).filter((bit) => bit !== undefined))];
  const wanted = purposes.filter(([, ...names]) => names.some((name) => options.usages.includes(name)));
  const { dns, emails, ips, uris } = request.names;
  const names = [...dns, ...emails, ...ips, ...uris];
  return assembleCertificate({
    subject: request.subject,
    issuerName: issuer.name,
    notBefore: options.notBefore,
    notAfter: options.notAfter,
    publicKeyInfo: request.publicKeyInfo,
    signingKey: options.signingKey,
    extensions: [
      ...(bits.length === 0 ? [] : [extension(certificateOIDs.keyUsage, namedBits(bits), true)]),
      ...(wanted.length === 0
        ? []
        : [extension(certificateOIDs.extendedKeyUsage, sequence(...wanted.map(([type]) => oid(type))))]),
      extension(certificateOIDs.basicConstraints, sequence(), true),
      ...(issuer.keyId === undefined
        ? []
        : [extension(certificateOIDs.authorityKeyIdentifier, sequence(element(0x80, issuer.keyId)))]),
      ...(names.length === 0
        ? []
        : [extension(certificateOIDs.subjectAltName, sequence(...names), request.subject.equals(emptyName))]),
    ],
  });
}

/** When an authority's certificate ends. */
export function endOfCertificate(pem: string): Date {
  return new X509Certificate(pem).validToDate;
}
