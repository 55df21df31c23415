import { formatTime } from '@kubechain/apimachinery';
import { createOnly } from '../../create-only.ts';
import { answeredResource } from '../../resource.ts';
import { userInfoObject } from '../user-info.ts';

/** Tells callers who they are. */
export const selfSubjectReviewResource = answeredResource(({ clock }) => [
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
]);
