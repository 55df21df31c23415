import { createStatusStorage } from '@kubechain/apiserver/resources';
import { countIssuedDurations } from './issued-durations.ts';
import { textField } from '../../field-readers.ts';
import {
  certificateSigningRequestApprovalStrategy,
  certificateSigningRequestStatusStrategy,
  certificateSigningRequestStrategy,
} from './strategy.ts';
import { printRequest } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** certificatesigningrequests with approval and status. */
export const certificateSigningRequestResource = storedResource({
  group: 'certificates.k8s.io',
  plural: 'certificatesigningrequests',
  strategy: certificateSigningRequestStrategy,
  status: ({ clock }) => certificateSigningRequestStatusStrategy(clock),
  beginStatusUpdate: ({ metrics }) => metrics && countIssuedDurations(metrics),
  fields: { 'spec.signerName': textField('spec.signerName') },
  row: printRequest,
  also: (store, { clock }) => [
    [
      'certificatesigningrequests/approval',
      createStatusStorage(store, certificateSigningRequestApprovalStrategy(clock), { tables: false }),
    ],
  ],
});
