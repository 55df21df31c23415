import { featureGatesOf, readFlagFile, unusableFlag } from '@kubechain/apiserver/options';
import type { AssemblyInput, GenericAPIServer, ServerParts, StoredResources } from '@kubechain/apiserver/servers';
import type { CRDVersions } from '../autoregister/crd-versions.ts';
import { Peers } from '../peers/peers.ts';
import { cannotFollow, type APIServices } from './api-services.ts';
import type { AggregatorValues } from './aggregator-values.ts';

export interface PeersParts {
  readonly parts: ServerParts;
  readonly stored: StoredResources;
  readonly server: GenericAPIServer;
  readonly apiServices: APIServices;
  readonly crds: CRDVersions;
  /** Called when what peers serve has changed. */
  readonly onChange: () => void;
}

/** Whether --peer-ca-file asks for it that requests are handed to other API servers. */
export function handsOn(values: AggregatorValues): boolean {
  return values.aggregator['peer-ca-file'] !== '';
}

/**
 * The way to other API servers over the same store, where --peer-ca-file asks for it
 * (pkg/controlplane/apiserver/peer.go BuildPeerProxy, 1.36). @throws OptionsError
 */
export function openPeers(
  { assembly, environment, values }: AssemblyInput<AggregatorValues>,
  { apiServices, crds, onChange, parts, server, stored }: PeersParts,
): Peers | undefined {
  if (!handsOn(values)) return undefined;
  const flag = 'peer-ca-file';
  if (!featureGatesOf(values).enabled('UnknownVersionInteroperabilityProxy'))
    throw unusableFlag(flag, 'requires UnknownVersionInteroperabilityProxy feature to be turned on');
  const certFile = values.delegate['proxy-client-cert-file'];
  const keyFile = values.delegate['proxy-client-key-file'];
  if (certFile === '') throw unusableFlag(flag, 'needs --proxy-client-cert-file, by which peers know this server');
  if (keyFile === '') throw unusableFlag(flag, 'needs --proxy-client-key-file');
  const peers = assembly.open(
    'peers',
    () =>
      new Peers({
        authorities: readFlagFile(values.aggregator[flag], flag).toString(),
        environment: {
          clientCertificate: { certFile, keyFile },
          dial: parts.egress?.dial('controlplane'),
          faults: environment.peerFaults,
        },
        leases: stored.get('coordination.k8s.io', 'leases'),
        direct: parts.storage.directOptions,
        own: server.discovery,
        delegated: server.delegatedDiscovery,
        services: apiServices.informer,
        crds,
        clock: environment.clock,
        random: environment.randomness.random,
        metrics: parts.metrics,
        onChange,
        onError: cannotFollow,
      }),
    (opened) => opened.close(),
  );
  peers.start();
  return peers;
}
