import { certificatesOf } from '@kubechain/apiserver/certificates';

/**
 * What the flags of one kube-apiserver say of how it authenticates: lists of headers and names, and authorities as PEM.
 */
export interface ClusterAuthenticationInfo {
  readonly clientCA: string;
  readonly requestHeaderCA: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Certificates that ended longer ago are left out. */
const expirySlackMs = 300_000;

/**
 * Data of ConfigMap kube-system/extension-apiserver-authentication: what is there already together with what this
 * server
 * needs, so that servers with other flags and clients of replaced authorities go on being known; authorities that have
 * ended go. Equal to `existing` when there is nothing to add.
 * Source: pkg/controlplane/controller/clusterauthenticationtrust, 1.36.
 * @throws Error for lists that are no JSON and texts with broken certificates
 */
export function combinedAuthenticationData(
  existing: Readonly<Record<string, string>>,
  required: ClusterAuthenticationInfo,
  nowMs: number,
): Record<string, string> {
  const data: Record<string, string> = {};
  const clientCA = combinedCertificates([existing['client-ca-file'] ?? '', required.clientCA], nowMs);
  if (clientCA !== '') data['client-ca-file'] = clientCA;
  const requestHeaderCA = combinedCertificates(
    [existing['requestheader-client-ca-file'] ?? '', required.requestHeaderCA],
    nowMs,
  );
  if (requestHeaderCA === '') return data;
  const list = (field: string, values: readonly string[]): readonly string[] => [
    ...new Set([...(JSON.parse(existing[field] ?? '[]') as string[]), ...values]),
  ];
  const uidHeaders = list('requestheader-uid-headers', required.uidHeaders);
  return {
    ...data,
    'requestheader-username-headers': JSON.stringify(list('requestheader-username-headers', required.usernameHeaders)),
    ...(uidHeaders.length === 0 ? {} : { 'requestheader-uid-headers': JSON.stringify(uidHeaders) }),
    'requestheader-group-headers': JSON.stringify(list('requestheader-group-headers', required.groupHeaders)),
    'requestheader-extra-headers-prefix': JSON.stringify(
      list('requestheader-extra-headers-prefix', required.extraHeaderPrefixes),
    ),
    'requestheader-client-ca-file': requestHeaderCA,
    'requestheader-allowed-names': JSON.stringify(list('requestheader-allowed-names', required.allowedNames)),
  };
}

function combinedCertificates(texts: readonly string[], nowMs: number): string {
  const certificates = texts.flatMap((text) => certificatesOf(text));
  const lasting = certificates.filter((certificate) => certificate.validToDate.getTime() > nowMs - expirySlackMs);
  return [...new Set(lasting.map(String))].join('');
}
