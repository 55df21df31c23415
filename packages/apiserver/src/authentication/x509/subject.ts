import type { X509Certificate } from 'node:crypto';
import { AuthenticationError } from '../authentication-error.ts';
import type { UserInfo } from '../../request/user-info.ts';
import { CREDENTIAL_ID_KEY } from '../well-known-users.ts';

/** Subject attribute in which 1.36 takes the user's uid from (feature AllowParsingUserUIDFromCertAuth). */
const UID_OID = '1.3.6.1.4.1.57683.2';

/** Common name of a certificate; '' when it has none. With several, the last one, as Go reads it. */
export function commonName(certificate: X509Certificate): string {
  return valuesOf(certificate, 'CN').at(-1) ?? '';
}

/**
 * Common name → user name, organizations → groups. Undefined for a certificate without common name.
 * @throws AuthenticationError `InvalidCertificate` for more than one, or an empty, uid attribute
 * Source: authentication/request/x509 CommonNameUserConversion.
 */
export function userOfCertificate(certificate: X509Certificate): UserInfo | undefined {
  const name = commonName(certificate);
  if (name === '') return undefined;
  const uid = uidOf(certificate);
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: valuesOf(certificate, 'O'),
    extra: { [CREDENTIAL_ID_KEY]: [`X509SHA256=${fingerprint}`] },
  };
}

function uidOf(certificate: X509Certificate): string | undefined {
  const uids = valuesOf(certificate, UID_OID);
  if (uids.length > 1)
    throw new AuthenticationError('InvalidCertificate', `expected 1 UID, but found multiple: [${uids.join(' ')}]`);
  if (uids[0] === '') throw new AuthenticationError('InvalidCertificate', 'UID cannot be an empty string');
  return uids[0];
}

/** The text form of a subject is ambiguous (values may hold line breaks and `=`); the legacy object is not. */
function valuesOf(certificate: X509Certificate, attribute: string): string[] {
  const subject = certificate.toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>;
  const value = subject[attribute];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
