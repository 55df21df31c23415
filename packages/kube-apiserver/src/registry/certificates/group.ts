import type { GroupProvider } from '../storage-provider.ts';
import { certificateSigningRequestStorage } from './certificatesigningrequest/storage.ts';

/** The certificates.k8s.io group. */
export const certificatesGroup: GroupProvider = {
  group: 'certificates.k8s.io',
  resources: [certificateSigningRequestStorage],
};
