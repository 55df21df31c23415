import {
  append,
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  notSupported,
  required,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  ClusterTrustBundleProjection,
  KeyToPath,
  PodCertificateProjection,
  ProjectedVolumeSource,
  VolumeProjection,
} from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { mostSecondsOf, validateUserAnnotations } from '../../../certificates/podcertificaterequest/validation.ts';
import { validateSignerName } from '../../../certificates/signer-name.ts';
import { each } from '../../../validation/rules.ts';
import { validateDownwardAPIFile } from './downward-api.ts';
import { fileInVolume, fileMode, keyToPath } from './volume-files.ts';

const kinds = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;
const certificateKeys = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const certificatePaths = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;
const minCertificateSeconds = 3600;
const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

/**
 * Several sources in one directory, each file once (validateProjectedVolumeSource of pkg/apis/core/validation, 1.36).
 * Errors about files that two sources have, and about paths of tokens, name the volume.
 */
export function validateProjected(
  { defaultMode, sources = [] }: ProjectedVolumeSource,
  path: FieldPath,
  { forgives }: Pick<Capabilities, 'forgives'>,
): FieldError[] {
  const taken = new Set<string>();
  const takes = (file: string | undefined, value: string | undefined): FieldError[] => {
    if (!file) return [];
    const conflict = taken.has(file);
    taken.add(file);
    return conflict ? [invalidValue(path, value ?? '', 'conflicting duplicate paths')] : [];
  };
  return [
    ...fileMode(defaultMode, path.child('defaultMode')),
    ...each(sources, (source, i) => {
      const at = path.child('sources').index(i);
      const errors = validateSource(source, { at, takes, volume: path, forgives });
      if (kinds.filter((kind) => source[kind] !== undefined).length > 1)
        errors.push(forbiddenValue(at, 'may not specify more than 1 volume type per source'));
      return errors;
    }),
  ];
}

interface Place extends Pick<Capabilities, 'forgives'> {
  readonly at: FieldPath;
  readonly volume: FieldPath;
  readonly takes: (file: string | undefined, value: string | undefined) => FieldError[];
}

function validateSource(
  { clusterTrustBundle, configMap, downwardAPI, podCertificate, secret, serviceAccountToken }: VolumeProjection,
  { at, forgives, takes, volume }: Place,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [kind, map] of [
    ['secret', secret],
    ['configMap', configMap],
  ] as const) {
    if (map === undefined) continue;
    if (!map.name) errors.push(required(at.child(kind, 'name')));
    (map.items ?? []).forEach((item: KeyToPath, i) => {
      append(errors, keyToPath(item, at.child(kind, 'items').index(i)));
      append(errors, takes(item.path, map.name));
    });
  }
  for (const file of downwardAPI?.items ?? [])
    append(errors, [...validateDownwardAPIFile(file, at.child('downwardAPI')), ...takes(file.path, file.path)]);
  if (serviceAccountToken !== undefined) {
    const { expirationSeconds = 0 } = serviceAccountToken;
    const secondsPath = at.child('serviceAccountToken', 'expirationSeconds');
    if (expirationSeconds < minTokenSeconds)
      errors.push(invalidValue(secondsPath, expirationSeconds, 'may not specify a duration less than 10 minutes'));
    if (expirationSeconds > maxTokenSeconds)
      errors.push(invalidValue(secondsPath, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
    if (!serviceAccountToken.path) errors.push(required(volume.child('path')));
    else if (!forgives('token paths')) append(errors, fileInVolume(serviceAccountToken.path, volume.child('path')));
  }
  if (clusterTrustBundle !== undefined)
    append(errors, [
      ...validateTrustBundle(clusterTrustBundle, at.child('clusterTrustBundle')),
      ...takes(clusterTrustBundle.path, clusterTrustBundle.path),
    ]);
  if (podCertificate !== undefined)
    append(errors, validatePodCertificate(podCertificate, { at: at.child('podCertificate'), takes }));
  return errors;
}

function validateTrustBundle(
  { labelSelector, name, path: file, signerName }: ClusterTrustBundleProjection,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name !== undefined && signerName !== undefined)
    errors.push(invalidValue(path, undefined, 'only one of name and signerName may be used'));
  else if (name !== undefined) {
    if (name === '') errors.push(required(path.child('name'), 'must be a valid object name'));
    // The part before the last colon names a signer.
    for (const message of isDNS1123Subdomain(name.slice(name.lastIndexOf(':') + 1)))
      errors.push(invalidValue(path.child('name'), name, `not a valid clustertrustbundlename: ${message}`));
    if (labelSelector !== undefined)
      errors.push(
        invalidValue(path.child('labelSelector'), labelSelector, 'labelSelector must be unset if name is specified'),
      );
  } else if (signerName !== undefined) {
    if (signerName === '') errors.push(required(path.child('signerName'), 'must be a valid signer name'));
    append(errors, validateSignerName(path.child('signerName'), signerName));
    append(errors, validateLabelSelector(labelSelector, path.child('labelSelector')));
  } else errors.push(required(path, 'either name or signerName must be specified'));
  return [...errors, ...(file ? [] : [required(path.child('path'))]), ...fileInVolume(file, path.child('path'))];
}

function validatePodCertificate(
  certificate: PodCertificateProjection,
  { at, takes }: Pick<Place, 'at' | 'takes'>,
): FieldError[] {
  const {
    keyType = '',
    maxExpirationSeconds: seconds,
    signerName = '',
    userAnnotations,
  } = certificate as Partial<PodCertificateProjection>;
  const errors = validateSignerName(at.child('signerName'), signerName);
  if (userAnnotations !== undefined)
    append(errors, validateUserAnnotations(userAnnotations, at.child('userAnnotations')));
  if (!certificateKeys.includes(keyType)) errors.push(notSupported(at.child('keyType'), keyType, certificateKeys));
  const secondsPath = at.child('maxExpirationSeconds');
  const bound = (relation: string): FieldError =>
    invalidValue(secondsPath, seconds, `if provided, maxExpirationSeconds must be ${relation}`);
  const most = mostSecondsOf(signerName);
  if (seconds !== undefined && seconds < minCertificateSeconds) errors.push(bound(`>= ${minCertificateSeconds}`));
  if (seconds !== undefined && seconds > most) errors.push(bound(`<= ${most}`));
  const named = certificatePaths.filter((field) => (certificate[field] ?? '') !== '');
  for (const field of named)
    append(errors, [
      ...fileInVolume(certificate[field], at.child(field)),
      ...takes(certificate[field], certificate[field]),
    ]);
  if (named.length === 0)
    errors.push(required(at, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath'));
  return errors;
}
