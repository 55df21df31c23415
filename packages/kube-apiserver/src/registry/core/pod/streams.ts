import { badRequest } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { joinHostPort, proxyToBackend, proxyUpgradeOnly } from '@kubechain/apiserver';
import type { Authorizer, Backend, RESTStorage } from '@kubechain/apiserver';
import { cleanPath, splitSchemeNamePort } from '../../scheme-name-port.ts';
import { ensureAuthorizedForVerb, proxyMethods, rawQuery, streamMethods, unchecked } from '../../connect.ts';
import type { ResourceEntry, StreamingFeatures } from '../../storage-provider.ts';
import { isGlobalUnicast } from '../global-unicast.ts';
import { chooseContainer } from './container-choice.ts';
import { kubeletBackend, kubeletOf, nodeOf, readPod, type KubeletTarget, type PodStreamSources } from './kubelet-backend.ts';
import { podLog } from './log.ts';

/** What the streams of pods need besides kubelets. */
export interface PodStreamOptions extends PodStreamSources {
  readonly authorizer: Authorizer;
  readonly features: StreamingFeatures;
}

/** What the query of exec and attach may ask for (core/v1 PodExecOptions, PodAttachOptions). */
interface ExecOptions {
  readonly container?: string;
  readonly command?: readonly string[];
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
}

/** pods/attach, exec, log, portforward and proxy (pkg/registry/core/pod/rest and strategy.go, 1.36). */
export function podStreams(options: PodStreamOptions): readonly ResourceEntry[] {
  return [
    ['pods/attach', kubeletStream('PodAttachOptions', options, (pod, attach: ExecOptions) => commandTarget('attach', pod, attach))],
    ['pods/exec', kubeletStream('PodExecOptions', options, (pod, exec: ExecOptions) => commandTarget('exec', pod, exec))],
    ['pods/log', podLog(options, options.features)],
    ['pods/portforward', kubeletStream('PodPortForwardOptions', options, (pod, { ports = [] }: { readonly ports?: readonly number[] }) => ({
      path: `/portForward/${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`,
      query: ports.length === 0 ? [] : [['port', ports.join(',')]],
    }))],
    ['pods/proxy', podProxy(options)],
  ];
}

/** A stream that the kubelet of the pod's node opens. */
function kubeletStream<O>(kind: string, { authorizer, features, ...sources }: PodStreamOptions, targetOf: (pod: Pod, options: O) => KubeletTarget): RESTStorage {
  return {
    kind, namespaced: true, singularName: '', connectMethods: streamMethods,
    connect: async (context, { name, options, exchange }) => {
      if (features.streamsNeedCreate) await ensureAuthorizedForVerb(context, authorizer, 'create');
      const pod = await readPod(sources.pods, context, name);
      const target = targetOf(pod, options as O);
      const kubelet = await kubeletOf(sources, context, nodeOf(pod));
      await proxyUpgradeOnly(context.request, exchange, kubeletBackend(kubelet, target));
    },
  };
}

function commandTarget(verb: string, pod: Pod, { command = [], container = '', stderr, stdin, stdout, tty }: ExecOptions): KubeletTarget {
  const streams = ([['input', stdin], ['output', stdout], ['error', stderr], ['tty', tty]] as const).filter(([, on]) => on === true).map(([name]) => [name, '1'] as const);
  return {
    path: `/${verb}/${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}/${chooseContainer(pod, container)}`,
    query: [...streams, ...command.map((word) => ['command', word] as const)],
  };
}

/** pods/proxy: a pod's own HTTP server, by the pod's address. */
function podProxy({ pods }: PodStreamOptions): RESTStorage {
  return {
    kind: 'PodProxyOptions', namespaced: true, singularName: '', connectMethods: proxyMethods,
    connect: async (context, { name, path, exchange }) => {
      const backend = await podBackend((pod) => readPod(pods, context, pod), name);
      await proxyToBackend(context.request, exchange, { ...backend, path: cleanPath(path), query: rawQuery(exchange.request.url) });
    },
  };
}

/**
 * The HTTP server of a pod: at the port that is named, or the first that a container declares.
 * @throws StatusError BadRequest for names that cannot be read and pods without an address that may be dialled
 */
export async function podBackend(read: (name: string) => Promise<Pod>, id: string): Promise<Pick<Backend, 'scheme' | 'host' | 'tls'>> {
  const parts = splitSchemeNamePort(id);
  if (parts === undefined) throw badRequest(`invalid pod request ${JSON.stringify(id)}`);
  const { name, scheme } = parts;
  const pod = await read(name);
  const declared = (pod.spec?.containers ?? []).find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
  const port = parts.port === '' ? String(declared ?? '') : parts.port;
  const address = pod.status?.podIPs?.[0]?.ip ?? '';
  if (!isGlobalUnicast(address)) throw badRequest('address not allowed');
  const host = port === '' ? (address.includes(':') ? `[${address}]` : address) : joinHostPort(address, port);
  return { scheme: scheme === '' ? 'http' : scheme, host, tls: unchecked };
}
