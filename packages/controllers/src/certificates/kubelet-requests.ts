import type { CertificateRequestContent } from '@kubechain/apiserver/certificates';

const group = 'system:nodes';
const userPrefix = 'system:node:';
const servingUsages = ['digital signature', 'key encipherment', 'server auth'];
const clientUsages = ['client auth', 'digital signature', 'key encipherment'];

/**
 * Why a request is none that a kubelet makes for its server; undefined: it is (pkg/apis/certificates/helpers.go,
 * 1.36).
 */
export function kubeletServingProblem(
  request: CertificateRequestContent,
  usages: readonly string[],
): string | undefined {
  const { commonName, names, organizations } = request;
  if (!isNodes(organizations)) return 'subject organization is not system:nodes';
  if (names.dns.length === 0 && names.ips.length === 0) return 'DNS or IP subjectAltName is required';
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!areUsages(usages, servingUsages)) return `usages did not match [${servingUsages.join(' ')}]`;
  return commonName.startsWith(userPrefix) ? undefined : 'subject common name does not begin with system:node:';
}

/** Why a request is none that a kubelet makes to be a client; undefined: it is. */
export function kubeletClientProblem(
  request: CertificateRequestContent,
  usages: readonly string[],
): string | undefined {
  const { commonName, names, organizations } = request;
  if (!isNodes(organizations)) return 'subject organization is not system:nodes';
  if (names.dns.length > 0) return 'DNS subjectAltNames are not allowed';
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.ips.length > 0) return 'IP subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!commonName.startsWith(userPrefix)) return 'subject common name does not begin with system:node:';
  return areUsages(usages, clientUsages) ? undefined : `usages did not match [${clientUsages.join(' ')}]`;
}

/** Why usages are not those of a client of the API server; undefined: they are. */
export function clientUsagesProblem(usages: readonly string[]): string | undefined {
  const foreign = usages.find((usage) => !clientUsages.includes(usage));
  if (foreign !== undefined) return `invalid usage for client certificate: ${foreign}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function isNodes(organizations: readonly string[]): boolean {
  return organizations.length === 1 && organizations[0] === group;
}

/** Keys that are not RSA encipher nothing. */
function areUsages(usages: readonly string[], wanted: readonly string[]): boolean {
  const asked = new Set(usages);
  return asked.isSubsetOf(new Set(wanted)) && wanted.every((usage) => usage === 'key encipherment' || asked.has(usage));
}
