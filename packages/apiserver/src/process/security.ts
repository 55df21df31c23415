import type { ReadOnce } from '@kubechain/shared-storage';
import type { EgressSelector } from '../egress/egress-selector.ts';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { Release, TimerClock } from '@kubechain/apimachinery';
import { messageOf, sleep } from '@kubechain/apimachinery';
import type { Authentication } from '../authentication/authentication-config.ts';
import { authenticationFromFlags } from '../authentication/authentication-from-flags.ts';
import { storageTokenGetter } from '../authentication/service-account/storage-token-getter.ts';
import { AuthorizationMetrics } from '../authorization/authorization-metrics.ts';
import {
  authorizationFromFlags,
  type AuthorizationOptions,
  type RunningAuthorization,
} from '../authorization/authorization-from-flags.ts';
import type { ServerSecrets } from '../authentication/server-secrets.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import { Logger } from '../logging/logger.ts';
import type { authenticationFlags, authorizationFlags } from '../options/authentication-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';

const log = new Logger('security');

export interface SecurityOptions {
  readonly authentication: FlagValues<typeof authenticationFlags>;
  readonly authorization: FlagValues<typeof authorizationFlags>;
  readonly clock: TimerClock;
  /** Built-in resources: the process's own storages where it serves them, else readers of them. */
  readonly storages: ResourceStorages;
  readonly metrics: MetricRegistry;
  /** Through which proxies webhooks and issuers are reached. Default: none. */
  readonly egress?: EgressSelector | undefined;
  /** Whose roles nodes have. Default: the checked-in tables' release. */
  readonly release?: Release | undefined;
  /** Which rules nodes have, by feature gates. Default: as gates are by default. */
  readonly isOn?: AuthorizationOptions['isOn'];
  /** Reads roles and bindings. Default: each anew. */
  readonly readOnce?: ReadOnce | undefined;
  /** In place of files for those who authenticate. */
  readonly secrets?: ServerSecrets | undefined;
}

/** Who callers are and what they may do, following storage. */
export interface Security {
  readonly authentication: Authentication;
  readonly authorization: RunningAuthorization;
  /** Stops following. Storages are their owner's to close. */
  stop(): void;
}

/** Builds authentication and authorization from flags, and starts what they follow. @throws OptionsError */
export function openSecurity(options: SecurityOptions): Security {
  const { clock, egress, isOn, metrics, readOnce, release, secrets, storages } = options;
  const onError = (error: unknown): void => {
    log.warning('cannot follow storage', { error: messageOf(error) });
  };
  const warn = (text: string): void => {
    log.warning(text);
  };
  const alwaysAllow = allowsAlways(options.authorization);
  const authentication = authenticationFromFlags(options.authentication, {
    clock,
    egress,
    registry: metrics,
    alwaysAllow,
    secrets,
    tokenGetter: storageTokenGetter(storages),
    sleep: (delayMs) => sleep(clock, delayMs),
    warn,
  });
  let authorization: RunningAuthorization;
  try {
    authorization = authorizationFromFlags(options.authorization, storages, {
      clock,
      egress,
      isOn,
      onError,
      readOnce,
      release,
      warn,
      metrics: new AuthorizationMetrics(metrics, () => clock.now()),
    });
  } catch (error) {
    authentication.stop();
    throw error;
  }
  return {
    authentication,
    authorization,
    stop: () => {
      authentication.stop();
      authorization.stop();
    },
  };
}

/** As the flags say: what a file of authorizers says does not count in the reference either. */
function allowsAlways(flags: SecurityOptions['authorization']): boolean {
  const modes = flags['authorization-mode'];
  return modes.includes('AlwaysAllow') || (modes.length === 0 && flags['authorization-config'] === '');
}
