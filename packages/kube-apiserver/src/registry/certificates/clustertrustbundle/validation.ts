import { byteLength, FieldPath, invalidValue, isDNS1123Subdomain, tooLong } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { parseCertificates, pemBlocks } from '@kubechain/apiserver/certificates';
import { immutable } from '../../validation/immutable.ts';
import { validateSignerName } from '../signer-name.ts';
import type { ClusterTrustBundle } from './cluster-trust-bundle.ts';

const namePath = FieldPath.of('metadata').child('name');
const specPath = FieldPath.of('spec');
const signerPath = specPath.child('signerName');
const bundlePath = specPath.child('trustBundle');
/** In bytes (MaxTrustBundleSize of pkg/apis/certificates). */
const maxBundle = 1024 * 1024;

/** Rules of a bundle (ValidateClusterTrustBundle of pkg/apis/certificates/validation, 1.37). */
export function validateClusterTrustBundle(bundle: ClusterTrustBundle): FieldError[] {
  return [...validateNames(bundle), ...validateTrust(bundle.spec?.trustBundle ?? '')];
}

/** Certificates that stay are not read again. */
export function validateClusterTrustBundleUpdate(bundle: ClusterTrustBundle, old: ClusterTrustBundle): FieldError[] {
  const { signerName = '', trustBundle = '' } = bundle.spec ?? {};
  return [
    ...validateNames(bundle),
    ...(trustBundle === (old.spec?.trustBundle ?? '') ? [] : validateTrust(trustBundle)),
    ...immutable(signerPath, signerName, old.spec?.signerName ?? ''),
  ];
}

function validateNames({ metadata, spec = {} }: ClusterTrustBundle): FieldError[] {
  const { signerName = '' } = spec;
  const name = metadata?.name ?? '';
  return [
    ...(name === '' ? [] : nameProblems(name, signerName).map((message) => invalidValue(namePath, name, message))),
    ...(signerName === '' ? [] : validateSignerName(signerPath, signerName)),
  ];
}

/** The bundles of a signer carry its name (ValidateClusterTrustBundleName of pkg/apis/core/validation, 1.37). */
function nameProblems(name: string, signerName: string): readonly string[] {
  if (signerName === '')
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : isDNS1123Subdomain(name);
  const prefix = `${signerName.replaceAll('/', ':')}:`;
  return name.startsWith(prefix)
    ? isDNS1123Subdomain(name.slice(prefix.length))
    : [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}

/** Certificates of authorities, each once, and at least one. */
function validateTrust(text: string): FieldError[] {
  if (byteLength(text) > maxBundle) return [tooLong(bundlePath, maxBundle)];
  const wrong = (message: string): FieldError => invalidValue(bundlePath, '<value omitted>', message);
  const errors: FieldError[] = [];
  const places = new Map<string, number[]>();
  for (const [i, { bytes, hasHeaders, type }] of [...pemBlocks(text)].entries()) {
    const problem =
      type === 'CERTIFICATE'
        ? hasHeaders
          ? 'has PEM block headers'
          : certificateProblem(bytes)
        : `has bad block type: ${type}`;
    if (problem === undefined) {
      const key = bytes.toString('base64');
      places.set(key, [...(places.get(key) ?? []), i]);
    } else errors.push(wrong(`entry ${i} ${problem}`));
  }
  if (errors.length > 0) return errors;
  if (places.size === 0) return [wrong('at least one trust anchor must be provided')];
  return [...places.values()]
    .filter((indices) => indices.length > 1)
    .map((indices) => wrong(`duplicate trust anchor (indices [${indices.join(' ')}])`));
}

function certificateProblem(der: Buffer): string | undefined {
  try {
    const [certificate, ...more] = parseCertificates(der);
    if (certificate === undefined || more.length > 0) return 'does not parse as X.509';
    return certificate.ca ? undefined : 'does not have the CA bit set';
  } catch {
    return 'does not parse as X.509';
  }
}
