import {
  byteLength,
  FieldPath,
  invalidOmitted,
  invalidValue,
  notSupported,
  parseTime,
  required,
  tooLong,
  validateConditions,
} from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import { semanticEqual } from '../../semantic-equal.ts';
import { issuedCertificate, restProblem } from './issued-certificate.ts';
import type { PodCertificateRequest, PodCertificateRequestStatus } from './request.ts';

const statusPath = FieldPath.of('status');
const conditionsPath = statusPath.child('conditions');
const chainPath = statusPath.child('certificateChain');
const notBeforePath = statusPath.child('notBefore');
const notAfterPath = statusPath.child('notAfter');
const refreshPath = statusPath.child('beginRefreshAt');
const ends = ['Issued', 'Denied', 'Failed'];
const minute = 60_000;
const maxChain = 100 * 1024;

/**
 * A request ends once: it is issued, denied or failed, and is then as it is
 * (ValidatePodCertificateRequestStatusUpdate of pkg/apis/certificates/validation, 1.37).
 * @param setting `now`: milliseconds since the epoch
 */
export async function validatePodCertificateRequestStatus(
  { spec = {}, status = {} }: PodCertificateRequest,
  { spec: asked = {}, status: before = {} }: PodCertificateRequest,
  { now, release }: { readonly now: number; readonly release: ReleaseAge },
): Promise<FieldError[]> {
  const { conditions = [] } = status;
  const errors = [...validateEnds(conditions), ...validateConditions(conditions, conditionsPath, release)];
  if (errors.length > 0) return errors;
  const must = (holds: boolean, message: string): FieldError[] => (holds ? [] : [invalidOmitted(statusPath, message)]);
  const isSame = semanticEqual(status, before);
  if (endOf(before) !== undefined)
    return must(isSame, 'immutable after PodCertificateRequest is issued, denied, or failed');
  switch (endOf(status)) {
    case undefined:
      return must(isSame, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
    case 'Issued':
      return validateIssued(status, { asked, maxExpirationSeconds: spec.maxExpirationSeconds ?? 0, now, release });
    default:
      return must(
        semanticEqual(status, { conditions }),
        'non-condition status fields must be empty when denying or failing the PodCertificateRequest',
      );
  }
}

function validateEnds(conditions: NonNullable<PodCertificateRequestStatus['conditions']>): FieldError[] {
  let known = 0;
  return conditions.flatMap(({ status = '', type = '' }, i) => {
    const path = (field: string): string => `status.conditions.[${i}].${field}`;
    if (!ends.includes(type)) return [notSupported(path('type'), type, ends)];
    known++;
    return [
      ...(known > 1
        ? [
            invalidValue(
              path('type'),
              type,
              'There may be at most one condition with type "Issued", "Denied", or "Failed"',
            ),
          ]
        : []),
      ...(status === 'True' ? [] : [notSupported(path('status'), status, ['True'])]),
    ];
  });
}

function endOf({ conditions = [] }: PodCertificateRequestStatus): string | undefined {
  return conditions.find(({ status, type = '' }) => status === 'True' && ends.includes(type))?.type;
}

interface Issue {
  readonly asked: NonNullable<PodCertificateRequest['spec']>;
  readonly maxExpirationSeconds: number;
  readonly now: number;
  readonly release: ReleaseAge;
}

async function validateIssued(status: PodCertificateRequestStatus, issue: Issue): Promise<FieldError[]> {
  const { certificateChain = '' } = status;
  if (byteLength(certificateChain) > maxChain) return [tooLong(chainPath, maxChain)];
  const { certificate, errors, rest } = await issuedCertificate(certificateChain, issue.asked, {
    path: chainPath,
    release: issue.release,
  });
  if (certificate === undefined) return errors;
  const times = validateTimes(status, certificate, issue);
  if (errors.length + times.length > 0) return [...errors, ...times];
  const problem = restProblem(rest);
  return problem === undefined ? [] : [invalidValue(chainPath, certificateChain, problem)];
}

function validateTimes(
  { beginRefreshAt, notAfter, notBefore }: PodCertificateRequestStatus,
  certificate: { readonly notBefore: number; readonly notAfter: number },
  { maxExpirationSeconds, now }: Issue,
): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate';
  if (notBefore === undefined || notAfter === undefined || beginRefreshAt === undefined)
    return [
      ...(notBefore === undefined ? [required(notBeforePath, consistent)] : []),
      ...(notAfter === undefined ? [required(notAfterPath, consistent)] : []),
      ...(beginRefreshAt === undefined
        ? [required(refreshPath, 'must be present and in the range [notbefore+10min, notafter-10min]')]
        : []),
    ];
  const [begin, end, refresh] = [parseTime(notBefore), parseTime(notAfter), parseTime(beginRefreshAt)];
  const lifetime = certificate.notAfter - certificate.notBefore;
  if (begin !== certificate.notBefore)
    return [
      invalidValue(notBeforePath, notBefore, 'must be set to the NotBefore time encoded in the leaf certificate'),
    ];
  if (Math.abs(begin - now) >= 5 * minute)
    return [invalidValue(notBeforePath, notBefore, "must be set to within 5 minutes of kube-apiserver's current time")];
  if (end !== certificate.notAfter)
    return [invalidValue(notAfterPath, notAfter, 'must be set to the NotAfter time encoded in the leaf certificate')];
  if (lifetime < 60 * minute)
    return [invalidValue(chainPath, nanoseconds(lifetime), 'leaf certificate lifetime must be >= 1 hour')];
  if (lifetime > maxExpirationSeconds * 1000)
    return [
      invalidValue(
        chainPath,
        nanoseconds(lifetime),
        `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxExpirationSeconds})`,
      ),
    ];
  if (refresh < begin + 10 * minute)
    return [invalidValue(refreshPath, beginRefreshAt, 'must be at least 10 minutes after status.notBefore')];
  return refresh > end - 10 * minute
    ? [invalidValue(refreshPath, beginRefreshAt, 'must be at least 10 minutes before status.notAfter')]
    : [];
}

/** As errors print a duration of Go. */
function nanoseconds(milliseconds: number): bigint {
  return BigInt(milliseconds) * 1_000_000n;
}
