import type { EgressSelector } from '../egress/egress-selector.ts';
import { builtinRelease, sleep } from '@kubechain/apimachinery';
import type { Release, TimerClock } from '@kubechain/apimachinery';
import type { ReadOnce } from '@kubechain/shared-storage';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import type { authorizationFlags } from '../options/authentication-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import {
  newAuthorization,
  parseAuthorizationModes,
  type Authorization,
  type AuthorizationMode,
} from './authorization-config.ts';
import type { AuthorizationMetrics } from './authorization-metrics.ts';
import type { ConfiguredAuthorizer, ConfiguredWebhook } from './configuration/configured-authorizer.ts';
import { followConfiguration, readConfigurationFile, type ConfigurationFile } from './follow-configuration.ts';
import { unusableFlag } from '../options/options-error.ts';
import { KubeClient, webhookTimeoutMs } from '../rest-client/kube-client.ts';
import { readPolicyFile } from './abac/policy-file.ts';
import type { PolicyList } from './abac/policy-list.ts';
import type { Authorizer } from './authorizer.ts';
import { webhookAuthorizer } from './subject-access-review.ts';
import { followNodes } from './node/node-feeds.ts';
import type { RoleGate } from './rbac/bootstrap/gated-rules.ts';
import { nodeRules } from './rbac/bootstrap/node-rules.ts';
import { RBAC_GROUP } from './rbac/rbac-objects.ts';
import { followRoles, type RoleStorages } from './rbac/role-feeds.ts';

/** Authorizers that follow storage. */
export interface RunningAuthorization extends Authorization {
  readonly modes: readonly AuthorizationMode[];
  /**
   * False until every role and binding has been read once; until then too little is allowed. For readyz
   * (`informer-sync`). What ties objects to nodes is read when a node asks.
   */
  hasSynced(): boolean;
  /** Resolves when it has, or when `signal` aborts. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  stop(): void;
}

/** The four kinds of RBAC. */
export function roleStorages(storages: Pick<ResourceStorages, 'get'>): RoleStorages {
  return {
    clusterRoles: storages.get(RBAC_GROUP, 'clusterroles'),
    roles: storages.get(RBAC_GROUP, 'roles'),
    clusterRoleBindings: storages.get(RBAC_GROUP, 'clusterrolebindings'),
    roleBindings: storages.get(RBAC_GROUP, 'rolebindings'),
  };
}

export interface AuthorizationOptions {
  readonly clock: TimerClock;
  readonly onError?: (error: unknown) => void;
  readonly warn?: (text: string) => void;
  readonly metrics?: AuthorizationMetrics;
  /** Through which proxies webhooks are reached. Default: none. */
  readonly egress?: EgressSelector | undefined;
  /** Whose roles nodes have, and what ties objects to nodes. Default: the checked-in tables' release. */
  readonly release?: Release | undefined;
  /** Feature gates. Default: each as it is by default. */
  readonly isOn?: ((gate: RoleGate) => boolean) | undefined;
  /** Reads roles and bindings. Default: each anew. */
  readonly readOnce?: ReadOnce | undefined;
}

type Flags = FlagValues<typeof authorizationFlags>;

/**
 * Authorization as --authorization-mode or the file of --authorization-config says; starts to follow what its
 * authorizers need, and the file.
 * @throws OptionsError naming the flag
 */
export function authorizationFromFlags(
  flags: Flags,
  storages: Pick<ResourceStorages, 'get'>,
  options: AuthorizationOptions,
): RunningAuthorization {
  const file = configurationFileOf(flags);
  const authorizers = file === undefined ? configuredByFlags(flags) : file.authorizers;
  const modes = [...new Set(authorizers.map(({ type }) => type))];
  const policies = policiesOf(flags, modes, options);
  const roles = modes.includes('RBAC') ? followRoles(roleStorages(storages), options) : undefined;
  const nodes = modes.includes('Node') ? followNodes(nodeStorages(storages, options.release), options) : undefined;
  const { metrics } = options;
  const build = (configured: readonly ConfiguredAuthorizer[]): Authorization =>
    newAuthorization({
      authorizers: configured,
      alwaysAllowPaths: flags['authorization-always-allow-paths'],
      namesReasons: (options.release ?? builtinRelease).since('1.37'),
      webhookOf: (name, webhook) => webhookOf(name, webhook, options),
      ...(policies === undefined ? {} : { policies }),
      ...(roles === undefined ? {} : { roles: roles.store }),
      ...(nodes === undefined
        ? {}
        : { nodes: { graph: nodes.graph, rules: nodeRules(options.release, options.isOn), known: nodes.known } }),
      ...(metrics === undefined ? {} : { metrics }),
    });
  const stopFeeds = (): void => {
    roles?.stop();
    nodes?.stop();
  };
  const followed = stoppedOnFailure(
    () =>
      file === undefined
        ? { ...build(authorizers), stop: () => undefined }
        : followConfiguration(file, { build, ...(metrics === undefined ? {} : { metrics }) }),
    stopFeeds,
  );
  return {
    authorizer: followed.authorizer,
    ruleResolver: followed.ruleResolver,
    modes,
    hasSynced: () => roles?.hasSynced() !== false,
    waitForSync: (signal) => roles?.waitForSync(signal) ?? Promise.resolve(),
    stop: () => {
      followed.stop();
      stopFeeds();
    },
  };
}

/** What is followed is not left behind when something after it cannot be made. */
function stoppedOnFailure<T>(make: () => T, stop: () => void): T {
  try {
    return make();
  } catch (error) {
    stop();
    throw error;
  }
}

function nodeStorages(
  storages: Pick<ResourceStorages, 'get'>,
  release: Release = builtinRelease,
): Parameters<typeof followNodes>[0] {
  // Since 1.37, where nothing else is asked for.
  const certificates = ['certificates.k8s.io', 'podcertificaterequests'] as const;
  return {
    pods: storages.get('', 'pods'),
    persistentVolumes: storages.get('', 'persistentvolumes'),
    volumeAttachments: storages.get('storage.k8s.io', 'volumeattachments'),
    resourceSlices: storages.get('resource.k8s.io', 'resourceslices'),
    ...(release.preferredResource(...certificates) === undefined
      ? {}
      : { podCertificateRequests: storages.get(...certificates) }),
  };
}

/** Flags for which the file stands: it cannot be given beside them. */
const replaced = [
  ['authorization-mode', ''],
  ['authorization-webhook-config-file', ''],
  ['authorization-webhook-version', 'v1beta1'],
  ['authorization-webhook-cache-authorized-ttl', '300000'],
  ['authorization-webhook-cache-unauthorized-ttl', '30000'],
] as const;

function configurationFileOf(flags: Flags): ConfigurationFile | undefined {
  const flag = 'authorization-config';
  if (flags[flag] === '') return undefined;
  if (replaced.some(([name, byDefault]) => String(flags[name]) !== byDefault))
    throw unusableFlag(
      flag,
      'can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    );
  return readConfigurationFile(flags[flag]);
}

function configuredByFlags(flags: Flags): readonly ConfiguredAuthorizer[] {
  const given = flags['authorization-mode'];
  const modes = parseAuthorizationModes(given.length === 0 ? ['AlwaysAllow'] : given);
  const webhookFlag = 'authorization-webhook-config-file';
  const webhookFile = flags[webhookFlag];
  if (webhookFile !== '' && !modes.includes('Webhook'))
    throw unusableFlag(webhookFlag, 'cannot be given without --authorization-mode Webhook');
  return modes.map((type) => {
    if (type !== 'Webhook') return { type, name: type.toLowerCase() };
    if (webhookFile === '')
      throw unusableFlag(webhookFlag, "authorization-mode Webhook's authorization config file not passed");
    return { type, name: 'default', webhook: webhookByFlags(flags) };
  });
}

function webhookByFlags(flags: Flags): ConfiguredWebhook {
  return {
    kubeConfigFile: flags['authorization-webhook-config-file'],
    version: flags['authorization-webhook-version'] as 'v1' | 'v1beta1',
    timeoutMs: webhookTimeoutMs,
    allowedTTLMs: flags['authorization-webhook-cache-authorized-ttl'],
    refusedTTLMs: flags['authorization-webhook-cache-unauthorized-ttl'],
    failurePolicy: 'NoOpinion',
    conditions: [],
  };
}

function policiesOf(
  flags: Flags,
  modes: readonly AuthorizationMode[],
  { warn }: AuthorizationOptions,
): PolicyList | undefined {
  const flag = 'authorization-policy-file';
  const file = flags[flag];
  if (modes.includes('ABAC')) {
    if (file === '') throw unusableFlag(flag, "authorization-mode ABAC's authorization policy file not passed");
    return readPolicyFile(file, warn);
  }
  if (file !== '') throw unusableFlag(flag, 'cannot specify --authorization-policy-file without mode ABAC');
  return undefined;
}

function webhookOf(
  name: string,
  { kubeConfigFile, timeoutMs, ...webhook }: ConfiguredWebhook,
  { clock, egress, metrics }: AuthorizationOptions,
): Authorizer {
  const client = KubeClient.fromKubeconfig(kubeConfigFile, {
    flag: 'authorization-webhook-config-file',
    timeoutMs,
    dial: egress?.dial('controlplane'),
  });
  return webhookAuthorizer(client, {
    ...webhook,
    timeoutMs,
    clock,
    sleep: (delayMs) => sleep(clock, delayMs),
    ...(metrics === undefined ? {} : { observer: { name, metrics } }),
  });
}
