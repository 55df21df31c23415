import type { EgressSelector } from '@kubechain/apiserver/egress';
import { ExchangeTerminations, TurnQueue, type ExchangeCountsOf } from '@kubechain/apiserver/proxies';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { readFlagFile, unusableFlag } from '@kubechain/apiserver/options';
import type { FeatureGates, FlagValues } from '@kubechain/apiserver/options';
import type { kubeApiserverFlags } from '../flags.ts';
import { KubeletClient } from '../kubelet/kubelet-client.ts';
import type { RegistryContext } from '../registry/storage-provider.ts';

/**
 * How streams reach kubelets, by --kubelet-*, --feature-gates and --egress-selector-config-file; where their ends are
 * counted, by `metrics`.
 * @throws OptionsError
 */
export function streamingFromFlags(
  flags: FlagValues<typeof kubeApiserverFlags>,
  featureGates: FeatureGates,
  { egress, metrics }: { readonly egress?: EgressSelector | undefined; readonly metrics?: MetricRegistry } = {},
): RegistryContext['streaming'] {
  const clientCertificate = flags['kubelet-client-certificate'];
  const clientKey = flags['kubelet-client-key'];
  if ((clientCertificate === '') !== (clientKey === '')) {
    throw clientKey === ''
      ? unusableFlag('kubelet-client-certificate', 'must be given with --kubelet-client-key')
      : unusableFlag('kubelet-client-key', 'must be given with --kubelet-client-certificate');
  }
  return {
    kubelets: new KubeletClient({
      port: flags['kubelet-port'],
      preferredAddressTypes: flags['kubelet-preferred-address-types'],
      certificateAuthority: readable(flags, 'kubelet-certificate-authority'),
      clientCertificate: readable(flags, 'kubelet-client-certificate'),
      clientKey: readable(flags, 'kubelet-client-key'),
      reach: {
        dial: egress?.dial('cluster'),
        bytesPerSecond: flags['max-connection-bytes-per-sec'],
        turns: new TurnQueue({ sums: true }),
        upgradeCounts: metrics === undefined ? undefined : countUpgrades(metrics),
      },
    }),
    features: {
      streamsNeedCreate: featureGates.enabled('AuthorizePodWebsocketUpgradeCreatePermission'),
      splitLogStreams: featureGates.enabled('PodLogsQuerySplitStreams'),
      translatesStreams: featureGates.enabled('TranslateStreamCloseWebsocketRequests'),
      tunnelsPortForwards: featureGates.enabled('PortForwardWebsockets'),
      extendsToKubelets: featureGates.enabled('ExtendWebSocketsToKubelet'),
    },
  };
}

/** Why upgrades to nodes, pods and services have ended, by what they were opened through. */
function countUpgrades(metrics: MetricRegistry): ExchangeCountsOf {
  const terminations = new ExchangeTerminations({
    component: 'streams',
    message: 'Upgraded connection ended',
    metric: {
      name: 'apiserver_backend_upgrade_terminations_total',
      help: 'Number of upgraded connections to nodes, pods and services that have ended, by reason.',
    },
  });
  terminations.register(metrics);
  return ({ requestInfo: { resource, subresource } }) => terminations.of({ resource, subresource }, 3);
}

/** The file that a flag names, which must be there when the process starts. @throws OptionsError */
function readable(
  flags: FlagValues<typeof kubeApiserverFlags>,
  name: 'kubelet-certificate-authority' | 'kubelet-client-certificate' | 'kubelet-client-key',
): string {
  const file = flags[name];
  if (file !== '') readFlagFile(file, name);
  return file;
}
