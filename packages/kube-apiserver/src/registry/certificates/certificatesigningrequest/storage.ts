import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { textField } from '../../field-readers.ts';
import {
  certificateSigningRequestApprovalStrategy,
  certificateSigningRequestStatusStrategy,
  certificateSigningRequestStrategy,
} from './strategy.ts';

/** Serves certificatesigningrequests with approval and status. */
export const certificateSigningRequestStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'certificates.k8s.io',
    plural: 'certificatesigningrequests',
    strategy: certificateSigningRequestStrategy,
    fields: { 'spec.signerName': textField('spec.signerName') },
  });
  return [
    ['certificatesigningrequests', store],
    [
      'certificatesigningrequests/approval',
      createStatusStorage(store, certificateSigningRequestApprovalStrategy(context.clock)),
    ],
    [
      'certificatesigningrequests/status',
      createStatusStorage(store, certificateSigningRequestStatusStrategy(context.clock)),
    ],
  ];
};
