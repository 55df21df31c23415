import { isDecodeError, messageOf } from '@kubechain/apimachinery';
import {
  configurationKinds,
  durationSchema,
  listSchema,
  structSchema,
  switchSchema,
  textSchema,
} from '../../files/configuration-schema.ts';
import { decodeConfiguration } from '../../files/decode-configuration.ts';
import { AuthorizationConfigurationError } from './authorization-configuration-error.ts';
import type { ConfiguredAuthorizer } from './configured-authorizer.ts';
import { readAuthorizers, type WrittenAuthorizer } from './read-authorizers.ts';

const group = 'apiserver.config.k8s.io';
const versions = ['v1', 'v1beta1', 'v1alpha1'];

const authorizations = configurationKinds({ group, kind: 'AuthorizationConfiguration', versions }, (version) => ({
  authorizers: listSchema(
    structSchema(`${version}.AuthorizerConfiguration`, {
      type: textSchema,
      name: textSchema,
      webhook: structSchema(`${version}.WebhookConfiguration`, {
        authorizedTTL: durationSchema,
        cacheAuthorizedRequests: switchSchema,
        unauthorizedTTL: durationSchema,
        cacheUnauthorizedRequests: switchSchema,
        timeout: durationSchema,
        subjectAccessReviewVersion: textSchema,
        matchConditionSubjectAccessReviewVersion: textSchema,
        failurePolicy: textSchema,
        connectionInfo: structSchema(`${version}.WebhookConnectionInfo`, {
          type: textSchema,
          kubeConfigFile: textSchema,
        }),
        matchConditions: listSchema(structSchema(`${version}.WebhookMatchCondition`, { expression: textSchema })),
      }),
    }),
  ),
}));

/** Read, so that they can be told from what is no configuration at all. */
const others = ['AuthenticationConfiguration', 'TracingConfiguration'].flatMap((kind) =>
  configurationKinds({ group, kind, versions }, () => ({})),
);

/**
 * The authorizers of an AuthorizationConfiguration, in their order.
 * @param requiredTypes those that have to be among them
 * @throws AuthorizationConfigurationError in the words of kube-apiserver 1.36
 */
export function readAuthorizationConfiguration(
  text: string,
  requiredTypes: ReadonlySet<string> = new Set(),
): readonly ConfiguredAuthorizer[] {
  return readAuthorizers(text === '' ? [] : writtenAuthorizers(text), requiredTypes);
}

function writtenAuthorizers(text: string): readonly WrittenAuthorizer[] {
  const refusal = (reason: string, cause?: unknown): AuthorizationConfigurationError =>
    new AuthorizationConfigurationError(`failed to load AuthorizationConfiguration from file: ${reason}`, { cause });
  try {
    const { fields, gvk } = decodeConfiguration(text, [...authorizations, ...others], { strict: true });
    if (gvk.kind !== 'AuthorizationConfiguration')
      throw refusal(`expected AuthorizationConfiguration, got *apiserver.${gvk.kind}`);
    return (fields['authorizers'] ?? []) as readonly WrittenAuthorizer[];
  } catch (error) {
    throw isDecodeError(error) ? refusal(messageOf(error), error) : error;
  }
}
