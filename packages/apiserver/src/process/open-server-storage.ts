import type { EgressSelector } from '../egress/egress-selector.ts';
import { featureGatesOf } from '../options/feature-gates.ts';
import { releaseFromFlags } from '../options/release-from-flags.ts';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { FaultyEtcdClient } from '../peers/faulty-etcd-client.ts';
import { openStorage, type OpenedStorage } from './open-storage.ts';
import type { AssemblyInput, ListeningFlagValues } from './assembly-input.ts';

/** The storage that the servers of the process share, or one of the server's own. @throws OptionsError */
export async function openServerStorage(
  { assembly, environment, values }: AssemblyInput<ListeningFlagValues>,
  { egress, metrics }: { readonly egress: EgressSelector | undefined; readonly metrics: MetricRegistry },
): Promise<OpenedStorage> {
  const { clock, createEtcdClient: createClient, peerFaults, randomness, shared, signal } = environment;
  if (shared !== undefined) return shared.storage;
  const openSocket = egress?.dial('etcd');
  const release = await releaseFromFlags(values.generic);
  const featureGates = featureGatesOf(values);
  return assembly.open(
    'storage',
    () =>
      openStorage(values.etcd, {
        signal,
        clock,
        random: randomness.random,
        featureGates,
        release,
        patient: values.features['debug-patience'],
        metrics,
        openSocket,
        ...(createClient === undefined ? {} : { createClient }),
        ...(peerFaults === undefined
          ? {}
          : { meetsFaults: true, wrapClient: (client) => new FaultyEtcdClient(client, peerFaults) }),
      }),
    (opened) => opened.close(),
  );
}
