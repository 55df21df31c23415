import { humanDuration } from '@kubechain/apiserver/resources';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import { none } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

/** Row of CertificateSigningRequest (pkg/printers/internalversion, 1.36). */
export const printRequest: Printer<CertificateSigningRequest> = (request) => {
  const { spec, status } = request;
  return [
    nameOf(request),
    ageOf(request),
    spec?.signerName || none,
    spec?.username ?? '',
    spec?.expirationSeconds === undefined ? none : humanDuration(spec.expirationSeconds * 1000),
    requestStatus(status),
  ];
};

function requestStatus(status: CertificateSigningRequest['status']): string {
  const types = new Set((status?.conditions ?? []).map((condition) => condition.type));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}
