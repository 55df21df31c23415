import { badRequest } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import {
  joinHostPort,
  proxyToBackend,
  proxyUpgradeOnly,
  translateStreams,
  tunnelSpdy,
  wantsTunnel,
} from '@kubechain/apiserver/proxies';
import { wantsChannels } from '@kubechain/apiserver/streaming';
import type { Backend, RequestContext } from '@kubechain/apiserver/proxies';
import type { Authorizer, ConnectExchange, RESTStorage } from '@kubechain/apiserver/resources';
import { cleanPath, splitSchemeNamePort } from '../../scheme-name-port.ts';
import { ensureAuthorizedForVerb, proxyMethods, rawQuery, streamMethods, unchecked } from '../../connect.ts';
import type { ResourceEntry, StreamingFeatures } from '../../storage-provider.ts';
import { isGlobalUnicast } from '../global-unicast.ts';
import { chooseContainer } from './container-choice.ts';
import {
  kubeletBackend,
  kubeletOf,
  nodeOf,
  readPod,
  type KubeletTarget,
  type PodStreamSources,
} from './kubelet-backend.ts';
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
    ['pods/attach', kubeletStream('PodAttachOptions', options, commandStream('attach', options.features))],
    ['pods/exec', kubeletStream('PodExecOptions', options, commandStream('exec', options.features))],
    ['pods/log', podLog(options, options.features)],
    ['pods/portforward', kubeletStream('PodPortForwardOptions', options, portForward(options.features))],
    ['pods/proxy', podProxy(options)],
  ];
}

/**
 * What is special about one kind of streams: its path at the kubelet, and how it is opened for clients that speak
 * WebSocket.
 */
interface KubeletStream<O> {
  target(pod: Pod, options: O): KubeletTarget;
  /** False when the connection is to be handed on as it is. */
  translate(
    context: RequestContext,
    exchange: ConnectExchange,
    opened: { readonly backend: Backend; readonly options: O },
  ): Promise<boolean>;
}

/** A stream that the kubelet of the pod's node opens. */
function kubeletStream<O>(
  kind: string,
  { authorizer, features, ...sources }: PodStreamOptions,
  stream: KubeletStream<O>,
): RESTStorage {
  return {
    kind,
    namespaced: true,
    singularName: '',
    connectMethods: streamMethods,
    connect: async (context, { name, options, exchange }) => {
      if (features.streamsNeedCreate) await ensureAuthorizedForVerb(context, authorizer, 'create');
      const pod = await readPod(sources.pods, context, name);
      const target = stream.target(pod, options as O);
      const kubelet = await kubeletOf(sources, context, nodeOf(pod));
      const backend = kubeletBackend(kubelet, target);
      const extended = features.extendsToKubelets && kubelet.declaredFeatures.includes('ExtendWebSocketsToKubelet');
      if (!extended && (await stream.translate(context.request, exchange, { backend, options: options as O }))) return;
      await proxyUpgradeOnly(context.request, exchange, backend);
    },
  };
}

/** A command in a container, or the one that runs there anyway. */
function commandStream(verb: 'attach' | 'exec', { translatesStreams }: StreamingFeatures): KubeletStream<ExecOptions> {
  return {
    target: (pod, { command = [], container = '', stderr, stdin, stdout, tty }) => {
      const streams = (
        [
          ['input', stdin],
          ['output', stdout],
          ['error', stderr],
          ['tty', tty],
        ] as const
      )
        .filter(([, on]) => on === true)
        .map(([name]) => [name, '1'] as const);
      return {
        path:
          `/${verb}/${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}/` +
          `${chooseContainer(pod, container)}`,
        query: [...streams, ...command.map((word) => ['command', word] as const)],
      };
    },
    translate: async (
      context,
      exchange,
      { backend, options: { stderr = false, stdin = false, stdout = false, tty = false } },
    ) => {
      if (!translatesStreams || exchange.kind !== 'upgrade' || !wantsChannels(exchange.request)) return false;
      await translateStreams(context, exchange, { backend, streams: { stdin, stdout, stderr, tty } });
      return true;
    },
  };
}

function portForward({
  tunnelsPortForwards,
}: StreamingFeatures): KubeletStream<{ readonly ports?: readonly number[] }> {
  return {
    target: (pod, { ports = [] }) => ({
      path: `/portForward/${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`,
      query: ports.length === 0 ? [] : [['port', ports.join(',')]],
    }),
    translate: async (context, exchange, { backend }) => {
      if (!tunnelsPortForwards || !wantsTunnel(exchange)) return false;
      await tunnelSpdy(context, exchange, backend);
      return true;
    },
  };
}

/** pods/proxy: a pod's own HTTP server, by the pod's address. */
function podProxy({ kubelets, pods }: PodStreamOptions): RESTStorage {
  return {
    kind: 'PodProxyOptions',
    namespaced: true,
    singularName: '',
    connectMethods: proxyMethods,
    connect: async (context, { name, path, exchange }) => {
      const backend = await podBackend((pod) => readPod(pods, context, pod), name);
      await proxyToBackend(context.request, exchange, {
        ...backend,
        ...kubelets.reach,
        path: cleanPath(path),
        query: rawQuery(exchange.request.url),
      });
    },
  };
}

/**
 * The HTTP server of a pod: at the port that is named, or the first that a container declares.
 * @throws StatusError BadRequest for names that cannot be read and pods without an address that may be dialled
 */
export async function podBackend(
  read: (name: string) => Promise<Pod>,
  id: string,
): Promise<Pick<Backend, 'scheme' | 'host' | 'tls'>> {
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
