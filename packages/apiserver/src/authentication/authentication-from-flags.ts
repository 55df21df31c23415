import type { EgressSelector } from '../egress/egress-selector.ts';
import type { TimerClock } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import type { authenticationFlags } from '../options/authentication-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import { unusableFlag } from '../options/options-error.ts';
import {
  newAuthentication,
  type Authentication,
  type AuthenticationConfig,
  type RequestHeaderConfig,
  type ServiceAccountConfig,
} from './authentication-config.ts';
import type { TokenAuthenticator } from './authenticator.ts';
import { AuthenticatorMetrics } from './authenticator-metrics.ts';
import { issuersFromFlags } from './issuers-from-flags.ts';
import type { ExternalSigner } from './service-account/external-signer.ts';
import { externalSignerFromFlags } from './service-account/external-signer-from-flags.ts';
import { storageTokenGetter } from './service-account/storage-token-getter.ts';
import type { ServiceAccountTokenGetter } from './service-account/token-getter.ts';
import { KubeClient, webhookTimeoutMs } from '../rest-client/kube-client.ts';
import { webhookPath } from '../rest-client/webhook-path.ts';
import { cachedTokenAuthenticator } from './token/token-cache.ts';
import type { TokenCacheMetrics } from './token/token-cache-metrics.ts';
import type { ServerSecrets } from './server-secrets.ts';
import { staticTokenAuthenticator } from './token/static-token.ts';
import { tokenReviewAuthenticator } from './token/token-review.ts';
import { bootstrapTokenAuthenticator } from './token/bootstrap-token.ts';

type Flags = FlagValues<typeof authenticationFlags>;

/** Whose token a server is given. */
const administrator = { name: 'admin', uid: 'admin', groups: ['system:masters'] };

export interface AuthenticationDependencies {
  readonly clock: TimerClock;
  /** Through which proxies webhooks and issuers are reached. Default: none. */
  readonly egress?: EgressSelector | undefined;
  /** Where certificates and tokens are counted. */
  readonly registry?: MetricRegistry;
  /**
   * Where service accounts and what tokens are bound to are looked up. Neither this nor `tokenGetter`: service account
   * tokens are not taken.
   */
  readonly storages?: Pick<ResourceStorages, 'get'>;
  /** In place of `storages`. */
  readonly tokenGetter?: ServiceAccountTokenGetter;
  readonly extraTokenAuthenticators?: readonly TokenAuthenticator[];
  /** In place of files. */
  readonly secrets?: ServerSecrets | undefined;
  /**
   * --authorization-mode is AlwaysAllow: then, as in the reference, anonymous requests are refused, since they could do
   * everything.
   */
  readonly alwaysAllow?: boolean;
  readonly onLegacyTokenUsed?: (secret: { readonly namespace: string; readonly name: string }) => void;
  /** Waits before a webhook is asked again. Default: it is asked once. */
  readonly sleep?: (delayMs: number) => Promise<void>;
  readonly warn?: (text: string) => void;
}

/** Authentication that may follow a file. */
export interface RunningAuthentication extends Authentication {
  stop(): void;
}

/** Authentication as kube-apiserver's flags say. @throws OptionsError naming the flag that cannot be followed */
export function authenticationFromFlags(flags: Flags, dependencies: AuthenticationDependencies): RunningAuthentication {
  const { clock, registry, secrets, storages, warn, alwaysAllow = false } = dependencies;
  const metrics = registry === undefined ? undefined : new AuthenticatorMetrics(registry);
  const extraTokenAuthenticators = dependencies.extraTokenAuthenticators ?? [];
  const tokenGetter = dependencies.tokenGetter ?? (storages === undefined ? undefined : storageTokenGetter(storages));
  const signer = externalSignerFromFlags(flags, dependencies);
  const serviceAccount =
    tokenGetter === undefined ? undefined : serviceAccountConfig(flags, { ...dependencies, signer, tokenGetter });
  const requestHeader = requestHeaderConfig(flags);
  const bootstrapTokens =
    flags['enable-bootstrap-token-auth'] && tokenGetter !== undefined
      ? [bootstrapTokenAuthenticator(tokenGetter, clock)]
      : [];
  const tokenWebhook = tokenWebhookOf(flags, dependencies, metrics?.tokenCache);
  const issuers = issuersFromFlags(flags, dependencies);
  const config: AuthenticationConfig = {
    clock,
    anonymous: issuers?.anonymous ?? { enabled: flags['anonymous-auth'] && !alwaysAllow },
    ...(issuers === undefined ? {} : { issuers: issuers.authenticator }),
    apiAudiences: flags['api-audiences'],
    ...(flags['client-ca-file'] === '' ? {} : { clientCAFile: flags['client-ca-file'] }),
    ...(flags['token-auth-file'] === '' ? {} : { tokenAuthFile: flags['token-auth-file'] }),
    ...(secrets === undefined ? {} : { fixedTokens: staticTokenAuthenticator(secrets.token, administrator) }),
    ...(requestHeader === undefined ? {} : { requestHeader }),
    ...(serviceAccount === undefined ? {} : { serviceAccount }),
    ...(tokenWebhook === undefined ? {} : { tokenWebhook }),
    extraTokenAuthenticators: [...bootstrapTokens, ...extraTokenAuthenticators],
    ...(warn === undefined ? {} : { warn }),
    metrics,
  };
  try {
    const stop = (): void => {
      issuers?.close();
      signer?.close();
    };
    return { ...newAuthentication(config), stop };
  } catch (error) {
    issuers?.close();
    signer?.close();
    throw error;
  }
}

function tokenWebhookOf(
  flags: Flags,
  { clock, egress, sleep }: Pick<AuthenticationDependencies, 'clock' | 'egress' | 'sleep'>,
  metrics: TokenCacheMetrics | undefined,
): TokenAuthenticator | undefined {
  const flag = 'authentication-token-webhook-config-file';
  if (flags[flag] === '') return undefined;
  const client = KubeClient.fromKubeconfig(flags[flag], {
    flag,
    timeoutMs: webhookTimeoutMs,
    dial: egress?.dial('controlplane'),
  });
  const implicitAudiences =
    flags['api-audiences'].length > 0 ? flags['api-audiences'] : flags['service-account-issuer'];
  const asked = tokenReviewAuthenticator(client, {
    path: webhookPath(webhookTimeoutMs),
    version: flags['authentication-token-webhook-version'] as 'v1' | 'v1beta1',
    implicitAudiences,
    ...(sleep === undefined ? {} : { sleep }),
  });
  const ttlMs = flags['authentication-token-webhook-cache-ttl'];
  return cachedTokenAuthenticator(asked, {
    successTTLMs: ttlMs,
    failureTTLMs: ttlMs,
    clock,
    metrics,
  });
}

function requestHeaderConfig(flags: Flags): RequestHeaderConfig | undefined {
  const clientCAFile = flags['requestheader-client-ca-file'];
  if (clientCAFile === '') return undefined;
  return {
    clientCAFile,
    allowedNames: flags['requestheader-allowed-names'],
    headers: {
      username: headerNames(flags, 'requestheader-username-headers'),
      uid: headerNames(flags, 'requestheader-uid-headers'),
      group: headerNames(flags, 'requestheader-group-headers'),
      extraPrefixes: headerNames(flags, 'requestheader-extra-headers-prefix'),
    },
  };
}

function headerNames(
  flags: Flags,
  flag:
    | 'requestheader-username-headers'
    | 'requestheader-uid-headers'
    | 'requestheader-group-headers'
    | 'requestheader-extra-headers-prefix',
): string[] {
  return flags[flag].map((name) => {
    const trimmed = name.trim().toLowerCase();
    if (trimmed === '') throw unusableFlag(flag, `empty header ${JSON.stringify(name)}`);
    return trimmed;
  });
}

function serviceAccountConfig(
  flags: Flags,
  dependencies: AuthenticationDependencies & {
    readonly signer: ExternalSigner | undefined;
    readonly tokenGetter: ServiceAccountTokenGetter;
  },
): ServiceAccountConfig {
  const issuers = flags['service-account-issuer'];
  if (new Set(issuers).size !== issuers.length)
    throw unusableFlag('service-account-issuer', 'an issuer is given more than once');
  const signingKeyFile = flags['service-account-signing-key-file'];
  const keyFiles = flags['service-account-key-file'];
  return {
    issuers,
    keyFiles: keyFiles.length > 0 || signingKeyFile === '' ? keyFiles : [signingKeyFile],
    externalKeys: dependencies.signer,
    keys: dependencies.secrets === undefined ? undefined : [dependencies.secrets.verification],
    lookup: flags['service-account-lookup'],
    getter: dependencies.tokenGetter,
    ...(dependencies.onLegacyTokenUsed === undefined ? {} : { onLegacyTokenUsed: dependencies.onLegacyTokenUsed }),
  };
}
