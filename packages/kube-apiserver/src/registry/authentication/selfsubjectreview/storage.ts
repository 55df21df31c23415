import { formatTime } from '@kubechain/apimachinery';
import { createOnly } from '../../create-only.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { userInfoObject } from '../user-info.ts';

/** Tells callers who they are. */
export const selfSubjectReviewStorage: StorageProvider = ({ clock }) => [
  [
    'selfsubjectreviews',
    createOnly({
      kind: 'SelfSubjectReview',
      singularName: 'selfsubjectreview',
      namespaced: false,
      answer: (_review, _name, context) => ({
        kind: 'SelfSubjectReview',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { creationTimestamp: formatTime(clock.now()) },
        status: { userInfo: userInfoObject(context.request.user) },
      }),
    }),
  ],
];
