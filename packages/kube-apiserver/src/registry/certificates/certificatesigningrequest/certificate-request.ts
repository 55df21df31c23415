import { FormatError, messageOf } from '@kubechain/apimachinery';
import { firstPEMBlock } from '@kubechain/apiserver/certificates';
import type { Pkcs10CertificateRequest } from '@peculiar/x509';

const signatureProblems: Readonly<Record<string, string>> = {
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
  'RSASSA-PKCS1-v1_5': 'crypto/rsa: verification error',
  'RSA-PSS': 'crypto/rsa: verification error',
};

/**
 * Reads a PKCS #10 request, in base64 of PEM as `spec.request` holds it. The library is loaded with the first one.
 * @throws FormatError with the reference's text where the PEM is at fault, with the library's where its content is
 */
export async function parseCertificateRequest(request: string): Promise<Pkcs10CertificateRequest> {
  const block = firstPEMBlock(Buffer.from(request, 'base64'));
  if (block?.type !== 'CERTIFICATE REQUEST') throw new FormatError('PEM block type must be CERTIFICATE REQUEST');
  return certificateRequestOf(block.bytes);
}

/** Reads a PKCS #10 request in DER. @throws FormatError with the library's text */
export async function certificateRequestOf(der: Buffer): Promise<Pkcs10CertificateRequest> {
  const { Pkcs10CertificateRequest: Request } = await import('./x509-library.ts');
  try {
    return new Request(new Uint8Array(der));
  } catch (error) {
    throw new FormatError(`x509: malformed certificate request: ${messageOf(error)}`);
  }
}

/** Whoever asks has the key. @throws FormatError otherwise */
export async function checkSignature(request: Pkcs10CertificateRequest): Promise<void> {
  // WebCrypto's types are the browser's.
  const { name } = request.signatureAlgorithm as unknown as { readonly name: string };
  let good = false;
  try {
    good = await request.verify();
  } catch {
    throw new FormatError(`x509: cannot verify signature: algorithm unimplemented`);
  }
  if (!good) throw new FormatError(signatureProblems[name] ?? 'x509: signature verification failure');
}

/** The `O` parts of the subject, which become the groups of who gets the certificate. */
export function organizationsOf(request: Pkcs10CertificateRequest): readonly string[] {
  return request.subjectName.getField('O');
}
