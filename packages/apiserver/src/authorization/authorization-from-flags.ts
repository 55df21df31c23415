import { sleep } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import type { authorizationFlags } from '../options/authentication-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import {
  newAuthorization,
  parseAuthorizationModes,
  type Authorization,
  type AuthorizationMode,
} from './authorization-config.ts';
import { unusableFlag } from '../options/options-error.ts';
import { KubeClient, webhookTimeoutMs } from '../rest-client/kube-client.ts';
import { readPolicyFile } from './abac/policy-file.ts';
import type { PolicyList } from './abac/policy-list.ts';
import type { Authorizer } from './authorizer.ts';
import { webhookAuthorizer } from './subject-access-review.ts';
import { followNodes } from './node/node-feeds.ts';
import { nodeRules } from './rbac/bootstrap/bootstrap-policy.ts';
import { RBAC_GROUP } from './rbac/rbac-objects.ts';
import { followRoles, type RoleStorages } from './rbac/role-feeds.ts';

/** Authorizers that follow storage. */
export interface RunningAuthorization extends Authorization {
  readonly modes: readonly AuthorizationMode[];
  /**
   * False until every role, binding, pod… has been read once; until then too little is allowed. For readyz
   * (`informer-sync`).
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
}

/**
 * Authorization as --authorization-mode says; starts to follow what its modes need.
 * @throws OptionsError naming the flag
 */
export function authorizationFromFlags(
  flags: FlagValues<typeof authorizationFlags>,
  storages: Pick<ResourceStorages, 'get'>,
  options: AuthorizationOptions,
): RunningAuthorization {
  const modes = parseAuthorizationModes(flags['authorization-mode']);
  const roles = modes.includes('RBAC') ? followRoles(roleStorages(storages), options) : undefined;
  const nodes = modes.includes('Node')
    ? followNodes(
        {
          pods: storages.get('', 'pods'),
          persistentVolumes: storages.get('', 'persistentvolumes'),
          volumeAttachments: storages.get('storage.k8s.io', 'volumeattachments'),
          resourceSlices: storages.get('resource.k8s.io', 'resourceslices'),
        },
        options,
      )
    : undefined;
  const webhook = webhookOf(flags, modes, options.clock);
  const policies = policiesOf(flags, modes, options.warn);
  const feeds = [roles, nodes].filter((feed) => feed !== undefined);
  const { authorizer, ruleResolver } = newAuthorization({
    modes,
    ...(webhook === undefined ? {} : { webhook }),
    ...(policies === undefined ? {} : { policies }),
    alwaysAllowPaths: flags['authorization-always-allow-paths'],
    ...(roles === undefined ? {} : { roles: roles.store }),
    ...(nodes === undefined ? {} : { nodes: { graph: nodes.graph, rules: nodeRules() } }),
  });
  return {
    authorizer,
    ruleResolver,
    modes,
    hasSynced: () => feeds.every((feed) => feed.hasSynced()),
    waitForSync: async (signal) => void (await Promise.all(feeds.map((feed) => feed.waitForSync(signal)))),
    stop: () => feeds.forEach((feed) => feed.stop()),
  };
}

function policiesOf(
  flags: FlagValues<typeof authorizationFlags>,
  modes: readonly AuthorizationMode[],
  warn: AuthorizationOptions['warn'],
): PolicyList | undefined {
  const flag = 'authorization-policy-file';
  const file = flags[flag];
  if (modes.includes('ABAC')) return file === '' ? undefined : readPolicyFile(file, warn);
  if (file !== '') throw unusableFlag(flag, 'cannot specify --authorization-policy-file without mode ABAC');
  return undefined;
}

function webhookOf(
  flags: FlagValues<typeof authorizationFlags>,
  modes: readonly AuthorizationMode[],
  clock: TimerClock,
): Authorizer | undefined {
  const flag = 'authorization-webhook-config-file';
  const file = flags[flag];
  if (!modes.includes('Webhook')) {
    if (file !== '') throw unusableFlag(flag, 'cannot be given without --authorization-mode Webhook');
    return undefined;
  }
  if (file === '') return undefined;
  return webhookAuthorizer(KubeClient.fromKubeconfig(file, { flag, timeoutMs: webhookTimeoutMs }), {
    clock,
    version: flags['authorization-webhook-version'] as 'v1' | 'v1beta1',
    allowedTTLMs: flags['authorization-webhook-cache-authorized-ttl'],
    refusedTTLMs: flags['authorization-webhook-cache-unauthorized-ttl'],
    sleep: (delayMs) => sleep(clock, delayMs),
  });
}
