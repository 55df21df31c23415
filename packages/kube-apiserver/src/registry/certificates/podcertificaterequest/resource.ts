import { FieldPath, forbiddenValue, goQuote } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver/resources';
import { textField } from '../../field-readers.ts';
import { storedResource } from '../../resource.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import type { RegistryContext } from '../../storage-provider.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { mayActFor } from '../signer-rights.ts';
import type { PodCertificateRequest } from './request.ts';
import { printPodCertificateRequest } from './table.ts';
import { validatePodCertificateRequestStatus } from './status-validation.ts';
import { validatePodCertificateRequest, validatePodCertificateRequestUpdate } from './validation.ts';

/**
 * Serves podcertificaterequests with status, which are there by default since 1.37, before that where the feature gate
 * PodCertificateRequest is on.
 */
export const podCertificateRequestResource = storedResource({
  group: 'certificates.k8s.io',
  plural: 'podcertificaterequests',
  strategy: ({ release }) =>
    specStrategy({
      status: true,
      allowUnconditionalUpdate: false,
      validate: (request) => validatePodCertificateRequest(request as PodCertificateRequest, release),
      validateUpdate: (request, old) =>
        validatePodCertificateRequestUpdate(request as PodCertificateRequest, old as PodCertificateRequest),
    }),
  status: podCertificateRequestStatusStrategy,
  fields: {
    'spec.signerName': textField('spec.signerName'),
    'spec.podName': textField('spec.podName'),
    'spec.nodeName': textField('spec.nodeName'),
  },
  row: printPodCertificateRequest,
});

/** The status endpoint is the signer's: whoever changes anything must have the right to sign. */
function podCertificateRequestStatusStrategy({
  authorizer,
  clock,
  release,
}: Pick<RegistryContext, 'authorizer' | 'clock' | 'release'>): Strategy {
  return statusStrategy({
    resetMetadata: true,
    hooks: {
      allowUnconditionalUpdate: false,
      async validateUpdate(object, before, { request: { user } }) {
        const request = object as PodCertificateRequest;
        const old = before as PodCertificateRequest;
        const errors = await validatePodCertificateRequestStatus(request, old, { now: clock.now(), release });
        if (errors.length > 0 || semanticEqual(request.status, old.status)) return errors;
        const { signerName = '' } = old.spec ?? {};
        return (await mayActFor(authorizer, user, { verb: 'sign', signerName }))
          ? []
          : [
              forbiddenValue(
                FieldPath.of('spec').child('signerName'),
                `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signerName)}`,
              ),
            ];
      },
    },
  });
}
