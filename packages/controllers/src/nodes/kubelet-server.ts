import { CommandChannels } from '@kubechain/apiserver/streaming';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseQuery, type TimerClock } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { every } from '../clock/every.ts';
import { playAttach } from './play-attach.ts';
import { forwardPorts } from './play-port-forward.ts';
import { answerTo } from './scripted-command.ts';
import { logOf, logOptionsOf } from './scripted-log.ts';

export interface KubeletServerOptions {
  /** PEM. */
  readonly serving: { readonly cert: string; readonly key: string };
  /** PEM of who signs certificates of those that may ask. Absent: everybody on this machine may. */
  readonly clientCA?: string | undefined;
  /** `key` is `namespace/name`. Undefined: no such pod on a played node. */
  readonly pod: (key: string) => Pod | undefined;
  readonly clock: TimerClock;
  readonly signal: AbortSignal;
}

/** One server for the kubelets of all played nodes, on the loopback. */
export interface KubeletServer {
  readonly port: number;
}

/** How often a log that is followed is looked at, to see whether its pod is gone. */
const followMs = 500;

/**
 * Answers what API servers ask of kubelets: `/containerLogs/NAMESPACE/POD/CONTAINER` with the pod's scripted log, and
 * `/exec/…`, `/attach/…` and `/portForward/…` with scripted answers, commands over WebSockets only.
 */
export async function serveKubelets(options: KubeletServerOptions): Promise<KubeletServer> {
  const { clientCA, serving, signal } = options;
  const server = createServer({
    ...serving,
    ...(clientCA === undefined ? {} : { ca: clientCA, requestCert: true, rejectUnauthorized: true }),
  });
  server.on('request', (request, response) => answer(request, response, options));
  server.on('upgrade', (request, socket, head) => upgrade(request, { socket, head }, options));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  signal.addEventListener(
    'abort',
    () => {
      server.close();
      server.closeAllConnections();
    },
    { once: true },
  );
  return { port: (server.address() as AddressInfo).port };
}

interface Target {
  readonly verb: string;
  readonly pod: Pod | undefined;
  readonly container: string;
  readonly query: URLSearchParams;
}

function targetOf({ url = '/' }: IncomingMessage, { pod }: KubeletServerOptions): Target {
  const { pathname, search } = new URL(url, 'https://localhost');
  const [, verb = '', namespace = '', name = '', container = ''] = pathname.split('/').map(decodeURIComponent);
  return { verb, container, query: parseQuery(search.slice(1)), pod: pod(`${namespace}/${name}`) };
}

function answer(request: IncomingMessage, response: ServerResponse, options: KubeletServerOptions): void {
  const { container, pod, query, verb } = targetOf(request, options);
  const refuse = (status: number, text: string): void => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
  };
  if (verb === 'healthz') return refuse(200, 'ok');
  if (verb !== 'containerLogs') return refuse(404, '404 page not found\n');
  const log = pod === undefined ? undefined : logOf(pod, container, logOptionsOf(query));
  if (pod === undefined) return refuse(404, `pod does not exist\n`);
  if (log === undefined)
    return refuse(
      400,
      query.get('previous') === 'true'
        ? `previous terminated container "${container}" in pod "${pod.metadata?.name ?? ''}" not found`
        : `container "${container}" in pod "${pod.metadata?.name ?? ''}" is waiting to start: ContainerCreating`,
    );
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.write(log);
  if (query.get('follow') !== 'true') return void response.end();
  const over = new AbortController();
  response.once('close', () => over.abort());
  watchEnd(pod, { ...options, container, signal: over.signal, onEnd: () => response.end() });
}

/** Tells when a container does not run any more, at most half a second later. */
function watchEnd(
  { metadata }: Pod,
  {
    clock,
    container,
    onEnd,
    pod,
    signal,
  }: Pick<KubeletServerOptions, 'clock' | 'pod' | 'signal'> & {
    readonly container: string;
    readonly onEnd: () => void;
  },
): void {
  const key = `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  void every(
    followMs,
    () => {
      const now = pod(key);
      const state = now?.status?.containerStatuses?.find(({ name }) => name === container)?.state;
      if (now?.metadata?.uid !== metadata?.uid || state?.running === undefined) onEnd();
    },
    { clock, signal },
  );
}

function upgrade(
  request: IncomingMessage,
  { head, socket }: { readonly socket: Duplex; readonly head: Buffer },
  options: KubeletServerOptions,
): void {
  const { container, pod, query, verb } = targetOf(request, options);
  const refuse = (line: string, text: string): void => {
    socket.end(
      `HTTP/1.1 ${line}\r\nContent-Type: text/plain\r\nContent-Length: ` +
        `${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  };
  if (pod === undefined) return refuse('404 Not Found', 'pod does not exist\n');
  if (verb === 'portForward') return forwardPorts(pod, { request, socket, head });
  if (verb !== 'exec' && verb !== 'attach') return refuse('501 Not Implemented', `${verb} is not played\n`);
  const on = (name: string): boolean => query.get(name) === '1';
  const streams = { stdin: on('input'), stdout: on('output'), stderr: on('error'), tty: on('tty') };
  const channels = CommandChannels.accept({ request, socket, head }, streams);
  if (channels === undefined) return;
  if (verb === 'attach') {
    const over = new AbortController();
    const session = playAttach(channels, { pod, tty: streams.tty, onEnd: () => over.abort() });
    watchEnd(pod, { ...options, container, signal: over.signal, onEnd: () => session.end() });
    return;
  }
  const { exitCode, stderr, stdout } = answerTo(pod, query.getAll('command'));
  if (stdout !== '' && streams.stdout) channels.writeStdout(Buffer.from(stdout));
  if (stderr !== '' && streams.stderr) channels.writeStderr(Buffer.from(stderr));
  channels.writeStatus(JSON.stringify(statusOf(exitCode)));
  channels.end();
}

/** How a command ended, as kubelets tell it on the error stream. */
function statusOf(exitCode: number): object {
  const base = { metadata: {} };
  if (exitCode === 0) return { ...base, status: 'Success' };
  return {
    ...base,
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
}
