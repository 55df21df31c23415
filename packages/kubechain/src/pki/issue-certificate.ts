import 'reflect-metadata';
import { webcrypto, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension, ExtendedKeyUsage, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, SubjectAlternativeNameExtension,
  AuthorityKeyIdentifierExtension, SubjectKeyIdentifierExtension, X509Certificate, X509CertificateGenerator, type Extension,
} from '@peculiar/x509';
import type { CertificateRequest } from './certificate-request.ts';
import type { KeyPair } from './key-pair-files.ts';

// Loaded only when a certificate has to be made: this module takes longer to load than everything else at start.

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
/** fabric8 and other JVM clients read elliptic keys only with a library that they do not bring along. */
const RSA = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' } as const;
const DAY_MS = 24 * 3600 * 1000;
/** Clocks of clients may be behind. */
const BACKDATE_MS = 3600 * 1000;

/** Makes a key and a certificate for it, signed by `issuer`, or by itself without one. */
export async function issueCertificate(request: CertificateRequest, options: { readonly issuer?: KeyPair; readonly nowMs: number }): Promise<KeyPair> {
  const keys = request.keyType === 'rsa' ? await webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify']) : await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const issuer = options.issuer === undefined ? undefined : { cert: new X509Certificate(options.issuer.cert), key: await importKey(options.issuer.key) };
  const subject = [...(request.organization === undefined ? [] : [{ O: [request.organization] }]), { CN: [request.commonName] }];
  const certificate = await X509CertificateGenerator.create({
    // Positive and without leading zero byte, as RFC 5280 wants serial numbers.
    serialNumber: `4${randomBytes(16).toString('hex').slice(1)}`,
    subject, issuer: issuer === undefined ? subject : issuer.cert.subjectName,
    notBefore: new Date(options.nowMs - BACKDATE_MS), notAfter: new Date(options.nowMs + request.validityDays * DAY_MS),
    publicKey: keys.publicKey, signingKey: issuer?.key ?? keys.privateKey, signingAlgorithm: ALGORITHM,
    extensions: await extensionsFor(request, { subjectKey: keys.publicKey, issuerCert: issuer?.cert }),
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await exportKey(keys.privateKey) };
}

/** A key pair for signing tokens: private (PKCS#8) and public (SPKI) PEM. */
export async function generateSigningKeys(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  return { privateKey: await exportKey(keys.privateKey), publicKey: pem('PUBLIC KEY', await webcrypto.subtle.exportKey('spki', keys.publicKey)) };
}

async function extensionsFor(request: CertificateRequest, keys: { readonly subjectKey: webcrypto.CryptoKey; readonly issuerCert: X509Certificate | undefined }): Promise<Extension[]> {
  const isCA = request.usage === 'ca';
  const extensions: Extension[] = [
    new BasicConstraintsExtension(isCA, undefined, true),
    new KeyUsagesExtension(isCA ? KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign : KeyUsageFlags.digitalSignature, true),
    await SubjectKeyIdentifierExtension.create(keys.subjectKey),
  ];
  if (keys.issuerCert !== undefined) extensions.push(await AuthorityKeyIdentifierExtension.create(keys.issuerCert));
  if (!isCA) extensions.push(new ExtendedKeyUsageExtension([request.usage === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth]));
  if (request.names !== undefined) extensions.push(new SubjectAlternativeNameExtension(request.names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }))));
  return extensions;
}

function importKey(text: string): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(text.replace(/-----[A-Z ]+-----/g, ''), 'base64');
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', key));
}

function pem(label: string, der: ArrayBuffer): string {
  return `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64').match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END ${label}-----\n`;
}
