import { append } from '@kubechain/apimachinery';
import { X509Certificate } from 'node:crypto';
import { elements } from './der.ts';
import { pemBlocks } from './pem.ts';

/**
 * The certificates that stand one after the other in DER, as x509.ParseCertificates of Go reads them.
 * @throws Error for what is no certificate, also behind one
 */
export function parseCertificates(der: Buffer): X509Certificate[] {
  return elements(der).map(({ whole }) => new X509Certificate(whole));
}

/**
 * The certificates of a PEM text: blocks of the type without headers. The one reading of everything that decides whom
 * to trust (client-go util/cert ParseCertsPEM).
 * @throws Error where such a block holds something else
 */
export function certificatesOf(pem: Uint8Array | string): X509Certificate[] {
  const certificates: X509Certificate[] = [];
  for (const { type, hasHeaders, bytes } of pemBlocks(pem))
    if (type === 'CERTIFICATE' && !hasHeaders) append(certificates, parseCertificates(bytes));
  return certificates;
}

/**
 * The same for a bundle of authorities: blocks that cannot be read are passed over (x509.CertPool
 * AppendCertsFromPEM), as long as one can.
 * @throws Error with the text of client-go's transport where none can
 */
export function authoritiesOf(pem: Uint8Array | string): X509Certificate[] {
  const certificates: X509Certificate[] = [];
  let blocks = 0;
  let problem: unknown;
  for (const { type, hasHeaders, bytes } of pemBlocks(pem)) {
    blocks++;
    if (type !== 'CERTIFICATE' || hasHeaders) continue;
    try {
      append(certificates, parseCertificates(bytes));
    } catch (error) {
      problem ??= error;
    }
  }
  if (certificates.length > 0) return certificates;
  if (blocks === 0) throw new TypeError('unable to load root certificates: unable to parse bytes as PEM block');
  if (problem !== undefined)
    throw new TypeError('unable to load root certificates: failed to parse certificate', { cause: problem });
  throw new TypeError('unable to load root certificates: no valid certificate authority data seen');
}
