import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';

/** Whether a condition of the type is there; for Failed, whether it is not false. */
export function hasCondition({ status }: CertificateSigningRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === type && (type !== 'Failed' || (condition.status ?? '') !== 'False'),
  );
}

/** Whether the request has its certificate. */
export function isIssued({ status }: CertificateSigningRequest): boolean {
  return (status?.certificate ?? '') !== '';
}
