import type { GroupProvider } from '../resource.ts';
import { certificateSigningRequestResource } from './certificatesigningrequest/resource.ts';
import { clusterTrustBundleResource } from './clustertrustbundle/resource.ts';
import { podCertificateRequestResource } from './podcertificaterequest/resource.ts';

/** The certificates.k8s.io group. */
export const certificatesGroup: GroupProvider = {
  group: 'certificates.k8s.io',
  resources: [certificateSigningRequestResource, clusterTrustBundleResource, podCertificateRequestResource],
};
