import type { Auditor } from '../audit/auditor.ts';
import type { authenticationFlags } from '../options/authentication-flags.ts';
import type { etcdFlags } from '../options/etcd-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import type { featureFlags, genericFlags } from '../options/generic-flags.ts';
import type { auditFlags, delegateFlags, delegateListenFlags } from '../options/process-flags.ts';
import type { servingFlags } from '../options/serving-flags.ts';
import {
  auditorFromFlags,
  delegateFromFlags,
  delegateListenerFromFlags,
  genericConfigFromFlags,
  secureServingFromFlags,
} from '../server/config-from-flags.ts';
import type { Config } from '../server/config.ts';
import type { DelegationTarget } from '../server/delegation-target.ts';
import type { SecureServingOptions } from '../server/secure-serving.ts';
import { openStorage, type OpenedStorage } from './open-storage.ts';

/** Flags that every server of the chain has. */
export interface CommonFlagValues {
  readonly etcd: FlagValues<typeof etcdFlags>;
  readonly serving: FlagValues<typeof servingFlags>;
  readonly authentication: FlagValues<typeof authenticationFlags>;
  readonly generic: FlagValues<typeof genericFlags>;
  readonly features: FlagValues<typeof featureFlags>;
  readonly audit: FlagValues<typeof auditFlags>;
  /** The last server of the chain has no delegate. */
  readonly delegate?: FlagValues<typeof delegateFlags>;
  /** The first one has nobody in front. */
  readonly delegateListen?: FlagValues<typeof delegateListenFlags>;
}

/** What a server process is put together from, before it has resources and rights. */
export interface ServerParts {
  readonly storage: OpenedStorage;
  readonly delegate: DelegationTarget | undefined;
  readonly serving: SecureServingOptions | undefined;
  readonly auditor: Auditor | undefined;
  /** Everything of the Config that comes from flags alone. */
  readonly config: Config;
  /** What the process says that it serves: `https://host:port`, undefined without a secure port. */
  readonly url: string | undefined;
}

/**
 * Reads files, opens storage and names the neighbours: the first half of every process.
 * @throws OptionsError one line that names the flag
 */
export async function openServerParts(
  values: CommonFlagValues,
  options: { readonly signal: AbortSignal; readonly delegateName: string },
): Promise<ServerParts> {
  const delegateListener =
    values.delegateListen === undefined
      ? undefined
      : delegateListenerFromFlags({
          listen: values.delegateListen,
          serving: values.serving,
          authentication: values.authentication,
        });
  const delegate =
    values.delegate === undefined ? undefined : await delegateFromFlags(values.delegate, options.delegateName);
  const [serving, auditor, storage] = await Promise.all([
    secureServingFromFlags(values.serving),
    auditorFromFlags(values.audit),
    openStorage(values.etcd, { signal: options.signal, featureGates: values.features['feature-gates'] }),
  ]);
  return {
    storage,
    delegate,
    serving,
    auditor,
    url:
      serving === undefined
        ? undefined
        : `https://${serving.host.includes(':') ? `[${serving.host}]` : serving.host}:${serving.port}`,
    config: {
      ...genericConfigFromFlags(values.generic, values.features),
      ...(serving === undefined ? {} : { serving }),
      ...(delegateListener === undefined ? {} : { delegateListener }),
      ...(auditor === undefined ? {} : { auditor }),
    },
  };
}
