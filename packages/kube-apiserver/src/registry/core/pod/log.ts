import { badRequest, genericServerResponse, internalError, invalid, parseRFC3339 } from '@kubechain/apimachinery';
import { cutResponse, GatheredBody, getFromBackend, turnToConnect } from '@kubechain/apiserver/proxies';
import { isWebSocketRequest, streamOverWebSocket } from '@kubechain/apiserver/streaming';
import type { Backend } from '@kubechain/apiserver/proxies';
import { Turns } from '@kubechain/apiserver/resources';
import type { ConnectExchange, RESTContext, RESTStorage } from '@kubechain/apiserver/resources';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { StreamingFeatures } from '../../storage-provider.ts';
import { chooseContainer } from './container-choice.ts';
import { kubeletBackend, kubeletOf, readPod, type PodStreamSources } from './kubelet-backend.ts';
import { validatePodLogOptions, type PodLogOptions } from './log-options.ts';

/** Of a kubelet's error text this much is read. */
const maxErrorBytes = 50_000;

/**
 * pods/log: what the kubelet says, as a stream; a pod that is on no node has none (pkg/registry/core/pod/rest/log.go,
 * 1.36).
 */
export function podLog(sources: PodStreamSources, features: StreamingFeatures): RESTStorage {
  return {
    kind: 'Pod',
    namespaced: true,
    singularName: '',
    connectMethods: ['GET'],
    connectOptionsKind: 'PodLogOptions',
    connectIsRead: true,
    connect: async (context, { name, options, exchange }) => {
      const selectsStreams = features.splitLogStreams;
      const logOptions = options as PodLogOptions;
      const errors = validatePodLogOptions(logOptions, selectsStreams);
      if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors);
      const backend = await logBackend(sources, context, { name, options: logOptions, selectsStreams });
      if (backend === undefined) {
        const response = responseOf(exchange);
        response.writeHead(204);
        response.end();
        return;
      }
      await turnToConnect(context.request, backend);
      const log = await getFromBackend(backend, context.request.signal);
      await checkAnswer(log, name);
      sendLog(new GatheredBody(log, new Turns({ queue: backend.turns, owner: context.request })), exchange);
    },
  };
}

async function logBackend(
  sources: PodStreamSources,
  context: RESTContext,
  {
    name,
    options,
    selectsStreams,
  }: { readonly name: string; readonly options: PodLogOptions; readonly selectsStreams: boolean },
): Promise<Backend | undefined> {
  const pod = await readPod(sources.pods, context, name);
  const container = chooseContainer(pod, options.container ?? '');
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') return undefined;
  const kubelet = await kubeletOf(sources, context, nodeName);
  return kubeletBackend(
    options.insecureSkipTLSVerifyBackend === true ? { ...kubelet, tls: kubelet.uncheckedTLS } : kubelet,
    {
      path: `/containerLogs/${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}/${container}`,
      query: logQuery(options, selectsStreams),
    },
  );
}

function logQuery(
  { follow, limitBytes, previous, sinceSeconds, sinceTime, stream = 'All', tailLines, timestamps }: PodLogOptions,
  selectsStreams: boolean,
): (readonly [string, string])[] {
  const switches = (
    [
      ['follow', follow],
      ['previous', previous],
      ['timestamps', timestamps],
    ] as const
  )
    .filter(([, on]) => on === true)
    .map(([name]) => [name, 'true'] as const);
  const numbers = (
    [
      ['sinceSeconds', sinceSeconds],
      ['tailLines', tailLines],
      ['limitBytes', limitBytes],
    ] as const
  ).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
  return [
    ...switches,
    ...numbers,
    ...(sinceTime === undefined
      ? []
      : [['sinceTime', new Date(parseRFC3339(sinceTime).seconds * 1000).toISOString().replace('.000Z', 'Z')] as const]),
    ...(selectsStreams ? [['stream', stream] as const] : []),
  ];
}

/** @throws StatusError with the kubelet's word on why there is no log */
async function checkAnswer(answer: IncomingMessage, name: string): Promise<void> {
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status <= 206) return;
  const text = await firstBytes(answer);
  if (status === 500) throw internalError(text);
  if (status === 400) throw badRequest(text);
  throw genericServerResponse(status, '', { resource: { group: '', resource: 'pods/log' }, name, serverMessage: text });
}

async function firstBytes(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxErrorBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxErrorBytes).toString();
}

function sendLog(log: Readable, exchange: ConnectExchange): void {
  if (exchange.kind === 'upgrade' && isWebSocketRequest(exchange.request)) {
    streamOverWebSocket(log, exchange);
    return;
  }
  const response = responseOf(exchange);
  response.setHeader('Content-Type', 'text/plain');
  response.writeHead(200);
  response.flushHeaders();
  // A log that breaks off must not look whole.
  log.on('error', () => {
    cutResponse(response);
  });
  response.once('close', () => {
    log.destroy();
  });
  log.pipe(response);
}

function responseOf(exchange: ConnectExchange): ServerResponse {
  return exchange.kind === 'request' ? exchange.response : exchange.response();
}
