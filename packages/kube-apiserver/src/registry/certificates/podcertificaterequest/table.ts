import { labelsCell } from '../../table/cells.ts';
import { nameOf } from '../../table/printer.ts';
import type { Printer } from '../../table/printer.ts';
import type { PodCertificateRequest } from './request.ts';

/** Row of PodCertificateRequest (pkg/printers/internalversion, 1.37). */
export const printPodCertificateRequest: Printer<PodCertificateRequest> = (request, release) => {
  const {
    nodeName = '',
    podName = '',
    serviceAccountName = '',
    signerName = '',
    unverifiedUserAnnotations,
  } = request.spec ?? {};
  const ends = ['Issued', 'Denied', 'Failed'];
  const end = (request.status?.conditions ?? []).findLast(({ type = '' }) => ends.includes(type))?.type;
  return [
    nameOf(request),
    podName,
    serviceAccountName,
    nodeName,
    signerName,
    end ?? 'Pending',
    ...(release.since('1.35') ? [labelsCell(unverifiedUserAnnotations)] : []),
  ];
};
