import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { Logger } from '../logging/logger.ts';
import { registerComponentMetrics } from '../server/component-metrics.ts';
import { gateWarnings } from '../options/feature-gates.ts';
import type { FlagValues } from '../options/flag-set.ts';
import type { featureFlags } from '../options/generic-flags.ts';
import type { delegateFlags } from '../options/process-flags.ts';
import { auditorFromFlags } from '../audit/auditor-from-flags.ts';
import {
  clientAuthoritiesFromFlags,
  delegateFromFlags,
  delegateListenerFromFlags,
  genericConfigFromFlags,
  secureServingFromFlags,
} from '../server/config-from-flags.ts';
import type { Config } from '../server/completed-config.ts';
import type { DelegationTarget } from '../server/delegation-target.ts';
import type { SecureServingOptions } from '../server/secure-serving.ts';
import type { Assembly } from './assembly.ts';
import { openServerStorage } from './open-server-storage.ts';
import type { OpenedStorage } from './open-storage.ts';
import type { ListeningFlagValues, AssemblyInput } from './assembly-input.ts';

const log = new Logger('features');

/** What everything is put together from that stores and listens. */
export interface ListeningParts {
  readonly storage: OpenedStorage;
  readonly serving: SecureServingOptions | undefined;
  /** What the server counts. */
  readonly metrics: MetricRegistry;
  /** Everything of the Config that comes from flags and surroundings alone. */
  readonly config: Config;
  /** What the process says that it serves: `https://host:port`, undefined without a secure port. */
  readonly url: string | undefined;
}

/** What a server of the chain is put together from, before it has resources and rights. */
export interface ServerParts extends ListeningParts {
  readonly delegate: DelegationTarget | undefined;
}

/** Reads files and opens storage. @throws OptionsError one line that names the flag */
export async function openListeningParts(input: AssemblyInput<ListeningFlagValues>): Promise<ListeningParts> {
  const { assembly, environment, values } = input;
  const { clock, flags, randomness, metrics = new MetricRegistry() } = environment;
  const generic = genericConfigFromFlags(values.generic, values.features);
  registerComponentMetrics(metrics, { featureGates: generic.featureGates, version: generic.version });
  for (const warning of gateWarnings(values.features['feature-gates'])) log.warning(warning);
  const [serving, auditor, storage] = await Promise.all([
    secureServingFromFlags(values.serving),
    assembly.open(
      'audit log',
      () => auditorFromFlags(values.audit, { clock, randomness, metrics }),
      (opened) => opened?.close(),
    ),
    openServerStorage(input, metrics),
  ]);
  return {
    storage,
    serving,
    metrics,
    url: serving === undefined ? undefined : urlOf(serving),
    config: {
      ...generic,
      clock,
      randomness,
      metrics,
      disabledMetrics: new Set(values.metrics?.['disabled-metrics']),
      ...(flags === undefined ? {} : { flags }),
      ...(serving === undefined ? {} : { serving }),
      ...(auditor === undefined ? {} : { auditor }),
    },
  };
}

/**
 * Reads files, opens storage and names the neighbours: the first half of every server of the chain.
 * @param delegateName what the next process is called in logs and errors
 * @throws OptionsError one line that names the flag
 */
export async function openServerParts(input: AssemblyInput, delegateName: string): Promise<ServerParts> {
  const { assembly, environment, values } = input;
  const delegateListener =
    values.delegateListen === undefined
      ? undefined
      : delegateListenerFromFlags({
          listen: values.delegateListen,
          serving: values.serving,
          authentication: values.authentication,
        });
  const delegate = environment.delegate ?? (await openDelegate(assembly, values, delegateName));
  const parts = await openListeningParts(input);
  const { serving } = parts;
  const clientAuthorities = clientAuthoritiesFromFlags(values.authentication);
  return {
    ...parts,
    delegate,
    config: {
      ...parts.config,
      ...(await openWatcher(input)),
      ...(serving === undefined ? {} : { serving: { ...serving, clientAuthorities } }),
      ...(delegateListener === undefined ? {} : { delegateListener }),
    },
  };
}

/** What tells the page of the chain, where --observe-listen asks for it; loaded only then. */
async function openWatcher({ assembly, values }: AssemblyInput): Promise<Pick<Config, 'watcher'>> {
  const address = values.generic['observe-listen'];
  if (address === '') return {};
  const [{ ObserveListener }, { RequestObserver }] = await Promise.all([
    import('../observe/observe-listener.ts'),
    import('../observe/request-observer.ts'),
  ]);
  const observer = new RequestObserver();
  const listener = assembly.open(
    'observation',
    () => new ObserveListener(observer),
    (opened) => {
      opened.close();
    },
  );
  await listener.listen(address);
  return { watcher: observer };
}

interface DelegateValues {
  readonly delegate?: FlagValues<typeof delegateFlags> | undefined;
  readonly features: FlagValues<typeof featureFlags>;
}

async function openDelegate(
  assembly: Assembly,
  { delegate: flags, features }: DelegateValues,
  name: string,
): Promise<DelegationTarget | undefined> {
  if (flags === undefined) return undefined;
  return assembly.open(
    'delegate',
    () => delegateFromFlags(flags, { name, patient: features['debug-patience'] }),
    (delegate) => delegate?.close(),
  );
}

function urlOf({ host, port }: SecureServingOptions): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
