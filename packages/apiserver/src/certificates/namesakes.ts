import { generateKeyPairSync, type X509Certificate } from 'node:crypto';
import { assembleCertificate, issuerParts } from './create-certificate.ts';
import { sequence } from './der.ts';

/**
 * Certificates with the names of authorities and the key of nobody, as PEM: what TLS may be given to name the
 * acceptable authorities in its CertificateRequest, and can verify nothing against.
 *
 * Node's `ca` is both, the names that clients are told and what OpenSSL verifies against; of a chain that OpenSSL has
 * verified, Node hides the intermediates, which those need who judge chains themselves.
 */
export function namesakesOf(authorities: readonly X509Certificate[]): string[] {
  const names = authorities.map((authority) => issuerParts(authority.toString()).name);
  const distinct = new Map(names.map((name) => [name.toString('latin1'), name]));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const at = new Date(0);
  return [...distinct.values()].map((subject) =>
    assembleCertificate({
      subject,
      // No authority by itself: it is issued by somebody without a name.
      issuerName: sequence(),
      notBefore: at,
      notAfter: at,
      publicKeyInfo,
      signingKey: privateKey,
      extensions: [],
    }),
  );
}
