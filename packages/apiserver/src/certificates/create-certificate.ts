import { createHash, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { element, elements, namedBits, oid, sequence, tags, time, type Parsed } from './der.ts';

/** What a certificate is to say. */
export interface CertificateOptions {
  readonly commonName: string;
  /** One, or several: a client's groups. */
  readonly organization?: string | readonly string[];
  /** Whether it may sign others. */
  readonly isCA: boolean;
  readonly extendedUsages?: readonly ('serverAuth' | 'clientAuth')[];
  /** DNS names and IP addresses. */
  readonly names?: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  /** The issuer's private key: EC (P-256), RSA or Ed25519; without an issuer the certificate's own. */
  readonly signingKey: KeyObject;
  /** PEM of the issuer's certificate. */
  readonly issuer?: string;
}

const usageBits = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 } as const;
const extendedUsageOIDs = { serverAuth: '1.3.6.1.5.5.7.3.1', clientAuth: '1.3.6.1.5.5.7.3.2' } as const;
/** Object identifiers of what certificates say. */
export const certificateOIDs = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;
const TRUE = element(tags.boolean, Buffer.from([0xff]));

/**
 * Makes an X.509 v3 certificate (RFC 5280) and returns it as PEM. OpenSSL in Node reads certificates and signs, but
 * does not put them together; the libraries that do take longer to load than all the rest of a first start.
 */
export function createCertificate(options: CertificateOptions): string {
  const { publicKey, signingKey } = options;
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const issuer = options.issuer === undefined ? undefined : issuerParts(options.issuer);
  const subject = nameOf(options);
  return assembleCertificate({
    subject,
    issuerName: issuer?.name ?? subject,
    notBefore: options.notBefore,
    notAfter: options.notAfter,
    publicKeyInfo,
    signingKey,
    extensions: extensions(options, { keyId: keyIdentifier(publicKeyInfo), issuerKeyId: issuer?.keyId }),
  });
}

/** The parts of a certificate, in DER. */
export interface CertificateParts {
  readonly subject: Buffer;
  readonly issuerName: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SubjectPublicKeyInfo. */
  readonly publicKeyInfo: Buffer;
  readonly extensions: readonly Buffer[];
  /** The issuer's. */
  readonly signingKey: KeyObject;
}

/** Puts the parts together under a serial number of chance, signs them, and returns PEM. */
export function assembleCertificate(parts: CertificateParts): string {
  const { signingKey } = parts;
  const algorithm = signatureAlgorithm(signingKey);
  const toBeSigned = sequence(
    element(0xa0, element(tags.integer, Buffer.from([2]))),
    element(tags.integer, serialNumber()),
    algorithm,
    parts.issuerName,
    sequence(time(parts.notBefore), time(parts.notAfter)),
    parts.subject,
    parts.publicKeyInfo,
    ...(parts.extensions.length === 0 ? [] : [element(0xa3, sequence(...parts.extensions))]),
  );
  const signature = sign(signingKey.asymmetricKeyType === 'ed25519' ? null : 'sha256', toBeSigned, signingKey);
  return pem('CERTIFICATE', sequence(toBeSigned, algorithm, element(tags.bitString, Buffer.from([0]), signature)));
}

/** Positive and without leading zero byte. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}

function nameOf({ commonName, organization }: CertificateOptions): Buffer {
  const part = (type: string, value: string): Buffer =>
    element(tags.set, sequence(oid(type), element(tags.utf8String, Buffer.from(value))));
  return sequence(
    ...[organization ?? []].flat().map((name) => part(certificateOIDs.organization, name)),
    part(certificateOIDs.commonName, commonName),
  );
}

function signatureAlgorithm({ asymmetricKeyType }: KeyObject): Buffer {
  switch (asymmetricKeyType) {
    case 'rsa':
      return sequence(oid('1.2.840.113549.1.1.11'), element(tags.null));
    case 'ed25519':
      return sequence(oid('1.3.101.112'));
    default:
      return sequence(oid('1.2.840.10045.4.3.2'));
  }
}

function extensions(
  options: CertificateOptions,
  { keyId, issuerKeyId }: { readonly keyId: Buffer; readonly issuerKeyId: Buffer | undefined },
): Buffer[] {
  const { isCA, extendedUsages = [], names = [] } = options;
  const usages = isCA
    ? [usageBits.digitalSignature, usageBits.keyCertSign, usageBits.cRLSign]
    : [usageBits.digitalSignature];
  return [
    extension(certificateOIDs.basicConstraints, sequence(...(isCA ? [TRUE] : [])), true),
    extension(certificateOIDs.keyUsage, namedBits(usages), true),
    extension(certificateOIDs.subjectKeyIdentifier, element(tags.octetString, keyId)),
    ...(issuerKeyId === undefined
      ? []
      : [extension(certificateOIDs.authorityKeyIdentifier, sequence(element(0x80, issuerKeyId)))]),
    ...(extendedUsages.length === 0
      ? []
      : [
          extension(
            certificateOIDs.extendedKeyUsage,
            sequence(...extendedUsages.map((usage) => oid(extendedUsageOIDs[usage]))),
          ),
        ]),
    ...(names.length === 0 ? [] : [extension(certificateOIDs.subjectAltName, sequence(...names.map(alternativeName)))]),
  ];
}

/** One extension; `value` is what its octet string holds. */
export function extension(type: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(type), ...(critical ? [TRUE] : []), element(tags.octetString, value));
}

function alternativeName(name: string): Buffer {
  switch (isIP(name)) {
    case 4:
      return element(0x87, Buffer.from(name.split('.').map(Number)));
    case 6:
      return element(0x87, ipv6Bytes(name));
    default:
      return element(0x82, Buffer.from(name, 'latin1'));
  }
}

function ipv6Bytes(address: string): Buffer {
  // URL writes every form (a dotted end too) as groups of hexadecimal digits with at most one gap.
  const [head = '', tail] = new URL(`http://[${address.split('%', 1)[0]!}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...gap, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** SHA-1 of the public key's bits (RFC 5280 4.2.1.2, method 1). */
function keyIdentifier(spki: Buffer): Buffer {
  const bits = elements(elements(spki)[0]!.content)[1]!.content.subarray(1);
  return createHash('sha1').update(bits).digest();
}

/** An issuer's name exactly as it is encoded there, and its key identifier, if it has one. */
export function issuerParts(certificate: string): { readonly name: Buffer; readonly keyId: Buffer | undefined } {
  const fields = elements(elements(elements(new X509Certificate(certificate).raw)[0]!.content)[0]!.content);
  // Version comes first where it is not 1: serial, algorithm, issuer, validity, subject.
  const subject = fields[fields[0]!.tag === 0xa0 ? 5 : 4]!;
  return { name: subject.whole, keyId: subjectKeyIdentifier(fields.find(({ tag }) => tag === 0xa3)) };
}

function subjectKeyIdentifier(extensionsField: Parsed | undefined): Buffer | undefined {
  if (extensionsField === undefined) return undefined;
  const type = oid(certificateOIDs.subjectKeyIdentifier);
  for (const { content } of elements(elements(extensionsField.content)[0]!.content)) {
    const parts = elements(content);
    if (parts[0]!.whole.equals(type)) return elements(parts.at(-1)!.content)[0]!.content;
  }
  return undefined;
}

function pem(label: string, der: Buffer): string {
  return (
    `-----BEGIN ${label}-----\n${der.toString('base64').replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END ` +
    `${label}-----\n`
  );
}
