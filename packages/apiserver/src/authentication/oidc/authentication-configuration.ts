import { isDecodeError, messageOf } from '@kubechain/apimachinery';
import {
  configurationKinds,
  listSchema,
  structSchema,
  switchSchema,
  textSchema,
} from '../../files/configuration-schema.ts';
import { decodeConfiguration } from '../../files/decode-configuration.ts';
import { AuthenticationConfigurationError } from './authentication-configuration-error.ts';
import type { WrittenIssuer } from './read-issuer.ts';

const group = 'apiserver.config.k8s.io';
const versions = ['v1', 'v1beta1', 'v1alpha1'];

const authentications = configurationKinds({ group, kind: 'AuthenticationConfiguration', versions }, (version) => {
  const struct = (name: string, fields: Parameters<typeof structSchema>[1]): ReturnType<typeof structSchema> =>
    structSchema(`${version}.${name}`, fields);
  const prefixed = struct('PrefixedClaimOrExpression', {
    claim: textSchema,
    prefix: textSchema,
    expression: textSchema,
  });
  return {
    jwt: listSchema(
      struct('JWTAuthenticator', {
        issuer: struct('Issuer', {
          url: textSchema,
          discoveryURL: textSchema,
          certificateAuthority: textSchema,
          audiences: listSchema(textSchema),
          audienceMatchPolicy: textSchema,
          egressSelectorType: textSchema,
        }),
        claimValidationRules: listSchema(
          struct('ClaimValidationRule', {
            claim: textSchema,
            requiredValue: textSchema,
            expression: textSchema,
            message: textSchema,
          }),
        ),
        claimMappings: struct('ClaimMappings', {
          username: prefixed,
          groups: prefixed,
          uid: struct('ClaimOrExpression', { claim: textSchema, expression: textSchema }),
          extra: listSchema(struct('ExtraMapping', { key: textSchema, valueExpression: textSchema })),
        }),
        userValidationRules: listSchema(struct('UserValidationRule', { expression: textSchema, message: textSchema })),
      }),
    ),
    anonymous: struct('AnonymousAuthConfig', {
      enabled: switchSchema,
      conditions: listSchema(struct('AnonymousAuthCondition', { path: textSchema })),
    }),
  };
});

/** Read, so that they can be told from what is no configuration at all. */
const others = ['AuthorizationConfiguration', 'TracingConfiguration'].flatMap((kind) =>
  configurationKinds({ group, kind, versions }, () => ({})),
);

/** Who may come without credentials, as it stands in a file. */
export interface WrittenAnonymous {
  readonly enabled?: boolean;
  readonly conditions?: readonly { readonly path?: string }[];
}

/** An AuthenticationConfiguration as it is written. */
export interface WrittenAuthentication {
  readonly jwt?: readonly WrittenIssuer[];
  readonly anonymous?: WrittenAnonymous;
}

/** @throws AuthenticationConfigurationError in the words of kube-apiserver 1.36 */
export function decodeAuthenticationConfiguration(text: string): WrittenAuthentication {
  if (text === '') throw new AuthenticationConfigurationError('empty config data');
  try {
    const { fields, gvk } = decodeConfiguration(text, [...authentications, ...others], { strict: true });
    if (gvk.kind !== 'AuthenticationConfiguration')
      throw new AuthenticationConfigurationError(`expected AuthenticationConfiguration, got *apiserver.${gvk.kind}`);
    return fields;
  } catch (error) {
    throw isDecodeError(error) ? new AuthenticationConfigurationError(messageOf(error), { cause: error }) : error;
  }
}
