import { invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath, ReleaseAge } from '@kubechain/apimachinery';
import { parseCertificates, pemBlocks } from '@kubechain/apiserver/certificates';
import type { PEMBlock } from '@kubechain/apiserver/certificates';
import type { X509Certificate } from 'node:crypto';
import type { PodCertificateRequest } from './request.ts';
import { requestedKey } from './requested-key.ts';

/** The pod's own certificate of a chain, as far as it can be read. */
export interface IssuedCertificate {
  /** When it holds, in milliseconds since the epoch; absent where nothing more is to be said of the chain. */
  readonly certificate?: { readonly notBefore: number; readonly notAfter: number };
  /** The names in it that are none, and why there is no certificate. */
  readonly errors: FieldError[];
  /** What follows it. */
  readonly rest: Iterable<PEMBlock>;
}

/** Reads the first certificate of a chain, which must be for the key that was asked for. */
export async function issuedCertificate(
  chain: string,
  asked: NonNullable<PodCertificateRequest['spec']>,
  { path, release }: { readonly path: FieldPath; readonly release: ReleaseAge },
): Promise<IssuedCertificate> {
  const rest = pemBlocks(chain);
  const none = (...errors: FieldError[]): IssuedCertificate => ({ errors, rest: [] });
  const wrong = (message: string): FieldError => invalidValue(path, chain, message);
  const { value: first } = rest.next();
  if (first === undefined) return none(wrong('issued certificate chain must contain at least one certificate'));
  const { bytes, type } = first as PEMBlock;
  if (type !== 'CERTIFICATE')
    return none(wrong('issued certificate chain must consist entirely of CERTIFICATE PEM blocks'));
  const leaf = certificateOf(bytes);
  if (leaf === undefined) return none(wrong('leaf certificate does not parse as valid X.509'));
  const names = release.since('1.35') ? validateNames(leaf, path) : [];
  const { errors, key } = await requestedKey(asked, release);
  if (key === undefined) return none(...names, ...errors);
  if (!key.equals(leaf.publicKey))
    return none(...names, wrong('leaf certificate was not issued to the requested public key'));
  return {
    certificate: { notBefore: leaf.validFromDate.getTime(), notAfter: leaf.validToDate.getTime() },
    errors: names,
    rest,
  };
}

/** What is wrong with the certificates behind the first one; undefined for nothing. */
export function restProblem(rest: Iterable<PEMBlock>): string | undefined {
  for (const { bytes, type } of rest) {
    // The reference spells it so.
    if (type !== 'CERTIFICATE') return 'issued certificate chain must consist entirely of CERTFICATE PEM blocks';
    if (certificateOf(bytes) === undefined) return 'intermediate certificate does not parse as valid X.509';
  }
  return undefined;
}

/** The one certificate in DER; undefined for anything else. */
function certificateOf(der: Buffer): X509Certificate | undefined {
  try {
    const [certificate, ...more] = parseCertificates(der);
    return more.length > 0 ? undefined : certificate;
  } catch {
    return undefined;
  }
}

function validateNames({ subjectAltName = '' }: X509Certificate, path: FieldPath): FieldError[] {
  return subjectAltName.split(', ').flatMap((entry) => {
    if (entry.startsWith('email:')) {
      const address = entry.slice('email:'.length);
      return /^[^\s@]+@[^\s@]+$/.test(address)
        ? []
        : [invalidValue(path, address, 'leaf certificate should not contain invalid EmailAddress')];
    }
    if (!entry.startsWith('DNS:')) return [];
    const name = entry.slice('DNS:'.length);
    const wrong = (message: string): FieldError => invalidValue(path, name, message);
    return [
      ...(name === '' ? [wrong('leaf certificate should not contain empty DNSName')] : []),
      ...(name.includes('..') ? [wrong("leaf certificate's DNSName should not contain '..'")] : []),
      ...(name.startsWith('.') || name.endsWith('.')
        ? [wrong("leaf certificate's DNSName should not start or end with '.'")]
        : []),
    ];
  });
}
