import { EgressSelector } from '../egress/egress-selector.ts';
import type { Surroundings } from '../observe/load-meter.ts';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { Release } from '@kubechain/apimachinery';
import { Logger } from '../logging/logger.ts';
import { registerComponentMetrics } from '../server/component-metrics.ts';
import { refuseSplitStreams } from '../options/logging-from-flags.ts';
import { unusableFlag } from '../options/options-error.ts';
import type { FlagValues } from '../options/flag-set.ts';
import { releaseFromFlags } from '../options/release-from-flags.ts';
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
import { faultyDelegate } from '../server/delegation/faulty-delegate.ts';
import type { DelegationTarget } from '../server/delegation-target.ts';
import type { SecureServingOptions } from '../server/serving/secure-serving.ts';
import type { RequestTracer } from '../tracing/request-tracer.ts';
import type { Assembly } from './assembly.ts';
import { metricsFromFlags } from './metrics-from-flags.ts';
import { openServerStorage } from './open-server-storage.ts';
import type { OpenedStorage } from './open-storage.ts';
import type { ListeningFlagValues, AssemblyInput } from './assembly-input.ts';

const log = new Logger('features');

/** What everything is put together from that stores and listens. */
export interface ListeningParts {
  readonly storage: OpenedStorage;
  /** What --kubernetes-version asks for. */
  readonly release: Release;
  /** Which connections go through which proxies; undefined: none. */
  readonly egress: EgressSelector | undefined;
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

/**
 * Reads files and opens storage.
 * @param server what the server is called in traces
 * @throws OptionsError one line that names the flag
 */
export async function openListeningParts(
  input: AssemblyInput<ListeningFlagValues>,
  server: string,
): Promise<ListeningParts> {
  const { assembly, environment, values } = input;
  const { clock, flags, randomness, metrics = metricsFromFlags(values.metrics) } = environment;
  const egress = EgressSelector.fromFile(values.generic['egress-selector-config-file'], metrics);
  const release = await releaseFromFlags(values.generic);
  const generic = genericConfigFromFlags(values.generic, values.features, release);
  registerComponentMetrics(metrics, { featureGates: generic.featureGates, version: generic.version });
  const problem = generic.featureGates.problem();
  if (problem !== undefined) throw unusableFlag('feature-gates', problem);
  refuseSplitStreams(values.logging, generic.featureGates);
  for (const warning of generic.featureGates.warnings()) log.warning(warning);
  const [serving, tracer, auditor, storage] = await Promise.all([
    secureServingFromFlags(values.serving),
    openTraces(input, server),
    assembly.open(
      'audit log',
      () =>
        auditorFromFlags(values.audit, {
          clock,
          randomness,
          metrics,
          dial: egress?.dial('controlplane'),
          relay: environment.auditRelay,
        }),
      (opened) => opened?.close(),
    ),
    openServerStorage(input, { metrics, egress }),
  ]);
  if (auditor !== undefined) environment.auditedAside?.recordTo(auditor.recordedAside);
  return {
    storage,
    release,
    egress,
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
      deferRoutes: environment.commons !== undefined,
      ...(serving === undefined ? {} : { serving }),
      ...(tracer === undefined ? {} : { tracer }),
      ...(auditor === undefined ? {} : { auditor }),
      ...(environment.watchdog === undefined ? {} : { watchdog: environment.watchdog }),
      heap: environment.heap,
    },
  };
}

/**
 * Reads files, opens storage and names the neighbours: the first half of every server of the chain.
 * @param names of the server in traces, and of the next process in logs and errors
 * @throws OptionsError one line that names the flag
 */
export async function openServerParts(
  input: AssemblyInput,
  names: { readonly server: string; readonly delegate: string },
): Promise<ServerParts> {
  const { assembly, environment, values } = input;
  const { sideServer, sideSocket } = environment;
  const delegateListener =
    sideSocket !== undefined
      ? { address: { kind: 'unix' as const, path: sideSocket } }
      : values.delegateListen === undefined
        ? undefined
        : delegateListenerFromFlags({
            listen: values.delegateListen,
            serving: values.serving,
            authentication: values.authentication,
          });
  const { peerFaults } = environment;
  const meetsFaults = peerFaults !== undefined;
  const next = environment.delegate ?? (await openDelegate(assembly, values, { name: names.delegate, meetsFaults }));
  const delegate = next === undefined || peerFaults === undefined ? next : faultyDelegate(next, peerFaults);
  const parts = await openListeningParts(input, names.server);
  const { serving } = parts;
  const clientAuthorities = clientAuthoritiesFromFlags(values.authentication);
  return {
    ...parts,
    delegate,
    config: {
      ...parts.config,
      ...(await openWatcher(input, { caches: () => parts.storage.cachers.extent(), delegate })),
      ...(serving === undefined ? {} : { serving: { ...serving, clientAuthorities } }),
      ...(delegateListener === undefined ? {} : { delegateListener }),
      sideServer,
      meetsFaults,
    },
  };
}

/** What tells the page of the chain, where --observe-listen asks for it; loaded only then. */
async function openWatcher(
  { assembly, values }: AssemblyInput,
  surroundings: Surroundings,
): Promise<Pick<Config, 'watcher'>> {
  const address = values.generic['observe-listen'];
  if (address === '') return {};
  const [{ ObserveListener }, { RequestObserver }] = await Promise.all([
    import('../observe/observe-listener.ts'),
    import('../observe/request-observer.ts'),
  ]);
  const observer = new RequestObserver(surroundings);
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

/** What sends traces, where --tracing-config-file asks for it; loaded only then. */
async function openTraces(
  { assembly, environment, values }: AssemblyInput<ListeningFlagValues>,
  server: string,
): Promise<RequestTracer | undefined> {
  const path = values.traces['tracing-config-file'];
  if (path === '') return undefined;
  const { openTracer } = await import('../tracing/open-tracer.ts');
  return assembly.open(
    'traces',
    () => openTracer({ path, server, clock: environment.clock }),
    (opened) => opened.close(),
  );
}

interface DelegateValues {
  readonly delegate?: FlagValues<typeof delegateFlags> | undefined;
  readonly features: FlagValues<typeof featureFlags>;
}

async function openDelegate(
  assembly: Assembly,
  { delegate: flags, features }: DelegateValues,
  next: { readonly name: string; readonly meetsFaults: boolean },
): Promise<DelegationTarget | undefined> {
  if (flags === undefined) return undefined;
  return assembly.open(
    'delegate',
    () => delegateFromFlags(flags, { ...next, patient: features['debug-patience'] }),
    (delegate) => delegate?.close(),
  );
}

function urlOf({ host, port }: SecureServingOptions): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
