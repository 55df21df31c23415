import { refuseUnknownPlugins } from './known-plugins.ts';
import { fileFlag, filesFlag } from './file-flag.ts';
import { arrayFlag, booleanFlag, durationFlag, listFlag, mapFlag, stringFlag, type Check, type Flag } from './flag.ts';
import { flagSet } from './flag-set.ts';

const authorizationModes: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];

const maxTokenExpiration: Check<number> = (value) =>
  value !== 0 && (value < 3_600_000 || value > 2 ** 32 * 1_000)
    ? 'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds'
    : undefined;

const reviewVersion: Check<string> = (value) =>
  value === 'v1' || value === 'v1beta1'
    ? undefined
    : `unsupported webhook version ${JSON.stringify(value)}, supported versions are "v1", "v1beta1"`;

/** Who callers are. Turned into an authenticator by `newAuthentication`. */
export const authenticationFlags = flagSet('Authentication', {
  'anonymous-auth': booleanFlag('Let requests without credentials in as system:anonymous.', true),
  'client-ca-file': fileFlag(
    'PEM file with the authorities of client certificates; common name and organizations are user and groups.',
  ),
  'token-auth-file': fileFlag('CSV file with static tokens: token,user,uid,"group1,group2".'),
  'enable-bootstrap-token-auth': booleanFlag(
    'Take Secrets of type bootstrap.kubernetes.io/token in kube-system as tokens.',
  ),
  'authentication-token-webhook-config-file': fileFlag(
    'Kubeconfig of a webhook that is asked who bearer tokens belong to.',
  ),
  'authentication-token-webhook-version': stringFlag(
    'Version of TokenReview that the webhook is sent: v1 or v1beta1.',
    'v1beta1',
    reviewVersion,
  ),
  'authentication-token-webhook-cache-ttl': durationFlag("How long the webhook's answers are believed.", 120_000),
  'authentication-config': fileFlag(
    'File with an AuthenticationConfiguration: issuers of tokens, how users are made of claims, and who may be ' +
      'anonymous; followed.',
  ),
  'oidc-issuer-url': stringFlag('URL (https) of an OpenID Connect issuer whose tokens are taken.'),
  'oidc-client-id': stringFlag('Audience that the tokens of --oidc-issuer-url must be for.'),
  'oidc-ca-file': fileFlag('PEM file with the authorities of the issuer; default: those of the machine.'),
  'oidc-username-claim': stringFlag('Claim that is the name of the user.', 'sub'),
  'oidc-username-prefix': stringFlag(
    "What stands before names; default: the issuer's URL and #, but nothing before emails. `-` is nothing.",
  ),
  'oidc-groups-claim': stringFlag('Claim with the groups of the user.'),
  'oidc-groups-prefix': stringFlag('What stands before groups.'),
  'oidc-required-claim': mapFlag('Claims (key=value) that tokens must have.'),
  'oidc-signing-algs': listFlag('Algorithms that tokens may be signed with.', ['RS256']),
  'api-audiences': listFlag('Audiences that tokens must be for; default --service-account-issuer.'),
  'requestheader-client-ca-file': fileFlag(
    'PEM file with the authorities of front proxies, whose word on X-Remote-* headers is taken.',
  ),
  'requestheader-allowed-names': listFlag("Common names that a front proxy's certificate may have; none allows all."),
  'requestheader-username-headers': listFlag('Headers with the user name. X-Remote-User is common.'),
  'requestheader-uid-headers': listFlag("Headers with the user's uid. X-Remote-Uid is common."),
  'requestheader-group-headers': listFlag('Headers with groups. X-Remote-Group is common.'),
  'requestheader-extra-headers-prefix': listFlag('Prefixes of headers with extras. X-Remote-Extra- is common.'),
  'service-account-issuer': arrayFlag('Issuer of service account tokens; the first signs, all are accepted.'),
  'service-account-key-file': filesFlag(
    'PEM file with keys that verify service account tokens; default --service-account-signing-key-file.',
  ),
  'service-account-signing-endpoint': stringFlag(
    'Unix socket of a program that signs service account tokens and tells the keys to check them with ' +
      '(k8s.io/externaljwt/apis/v1), in place of key files; `@NAME` for a socket without a file.',
  ),
  'service-account-signing-key-file': fileFlag('PEM file with the private key that signs service account tokens.'),
  'service-account-lookup': booleanFlag('Refuse tokens whose service account, secret or pod is gone.', true),
  'service-account-jwks-uri': stringFlag(
    "URL of the key set in the discovery document, where it is not the server's own.",
  ),
  'service-account-max-token-expiration': durationFlag(
    'Longest life of a token; 0 is no limit.',
    0,
    maxTokenExpiration,
  ),
  'service-account-extend-token-expiration': booleanFlag(
    'Give tokens of pods a year, and warn when they are used past the life that was asked for.',
    true,
  ),
});

/** What callers may do. Turned into an authorizer by `newAuthorization`. */
export const authorizationFlags = flagSet('Authorization', {
  'authorization-mode': listFlag(
    'Authorizers in order: ABAC, AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook. Default AlwaysAllow, unless there is ' +
      '--authorization-config.',
    [],
    (values) => {
      const wrong = values.find((value) => !authorizationModes.includes(value));
      return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is not a valid mode`;
    },
  ),
  'authorization-config': fileFlag(
    'File with an AuthorizationConfiguration: authorizers in order, several webhooks among them; followed.',
  ),
  'authorization-policy-file': fileFlag('File with the policies of --authorization-mode ABAC, one JSON object a line.'),
  'authorization-webhook-config-file': fileFlag(
    'Kubeconfig of the webhook of --authorization-mode Webhook, which is asked what callers may do.',
  ),
  'authorization-webhook-version': stringFlag(
    'Version of SubjectAccessReview that the webhook is sent: v1 or v1beta1.',
    'v1beta1',
    reviewVersion,
  ),
  'authorization-webhook-cache-authorized-ttl': durationFlag('How long what the webhook allows is believed.', 300_000),
  'authorization-webhook-cache-unauthorized-ttl': durationFlag(
    'How long what the webhook does not allow is believed.',
    30_000,
  ),
  'authorization-always-allow-paths': listFlag('Paths that everybody may read; `*` at the end matches what is below.'),
});

/** What writes go through. */
export const admissionFlags = flagSet('Admission', {
  'enable-admission-plugins': pluginsFlag('Admission plugins to turn on besides the default ones.'),
  'disable-admission-plugins': pluginsFlag('Default admission plugins to turn off.'),
  'admission-control': pluginsFlag('Deprecated: the admission plugins that run, all others are off.'),
  'admission-control-config-file': fileFlag('File with the configuration of admission plugins.'),
});

function pluginsFlag(help: string): Flag<readonly string[]> {
  const flag = listFlag(help);
  return {
    ...flag,
    inspect: (text, name) => {
      refuseUnknownPlugins(name, flag.parse(text, undefined));
    },
  };
}
