import {
  append,
  byteLength,
  FieldPath,
  invalidValue,
  nameIsDNSSubdomain,
  required,
  tooLong,
  validateDomainPrefixedKey,
} from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { isKubernetesSigner, validateSignerName } from '../signer-name.ts';
import type { PodCertificateRequest } from './request.ts';
import { requestedKey } from './requested-key.ts';

type Spec = NonNullable<PodCertificateRequest['spec']>;

const specPath = FieldPath.of('spec');
/** Who is meant, by name and by uid. */
const subjects = [
  ['podName', 'podUID'],
  ['serviceAccountName', 'serviceAccountUID'],
  ['nodeName', 'nodeUID'],
] as const;
const maxUID = 128;
const maxAnnotations = 256 * 1024;
const minSeconds = 60 * 60;
const maxSeconds = 91 * 24 * 60 * 60;
const maxKubernetesSeconds = 24 * 60 * 60;

/** The most seconds that a certificate of a signer may be asked for (pkg/apis/certificates, 1.37). */
export function mostSecondsOf(signerName: string): number {
  return isKubernetesSigner(signerName) ? maxKubernetesSeconds : maxSeconds;
}

/** Annotations that go to the signer as they are (ValidateUserAnnotations of pkg/apis/core/validation, 1.37). */
export function validateUserAnnotations(annotations: Readonly<Record<string, string>>, path: FieldPath): FieldError[] {
  const errors = Object.keys(annotations).flatMap((key) => validateDomainPrefixedKey(path, key.toLowerCase()));
  const size = Object.entries(annotations).reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return size > maxAnnotations ? [...errors, tooLong(path, maxAnnotations)] : errors;
}

/** Rules of a new request (ValidatePodCertificateRequestCreate of pkg/apis/certificates/validation, 1.34 to 1.37). */
export async function validatePodCertificateRequest(
  { spec = {} }: PodCertificateRequest,
  release: ReleaseAge,
): Promise<FieldError[]> {
  const { maxExpirationSeconds, signerName = '', unverifiedUserAnnotations } = spec;
  const errors = validateSignerName(specPath.child('signerName'), signerName);
  if (unverifiedUserAnnotations !== undefined)
    append(errors, validateUserAnnotations(unverifiedUserAnnotations, specPath.child('unverifiedUserAnnotations')));
  append(
    errors,
    subjects.flatMap((fields) => validateSubject(spec, fields)),
  );
  const secondsPath = specPath.child('maxExpirationSeconds');
  if (maxExpirationSeconds === undefined) return [...errors, required(secondsPath, 'must be set')];
  const most = mostSecondsOf(signerName);
  if (maxExpirationSeconds < minSeconds || maxExpirationSeconds > most)
    errors.push(invalidValue(secondsPath, maxExpirationSeconds, `must be in the range [${minSeconds}, ${most}]`));
  return [...errors, ...(await requestedKey(spec, release)).errors];
}

function validateSubject(spec: Spec, [nameField, uidField]: (typeof subjects)[number]): FieldError[] {
  const { [nameField]: name = '', [uidField]: uid = '' } = spec;
  const uidPath = specPath.child(uidField);
  const errors = nameIsDNSSubdomain(name, false).map((message) =>
    invalidValue(specPath.child(nameField), name, message),
  );
  if (uid === '') errors.push(invalidValue(uidPath, uid, 'must not be empty'));
  if (byteLength(uid) > maxUID) errors.push(tooLong(uidPath, maxUID));
  return errors;
}

/** What is asked for never changes. */
export function validatePodCertificateRequestUpdate(
  { spec }: PodCertificateRequest,
  old: PodCertificateRequest,
): FieldError[] {
  return semanticEqual(spec, old.spec)
    ? []
    : [invalidValue(specPath, internalForm('certificates.PodCertificateRequestSpec', spec), 'field is immutable')];
}
