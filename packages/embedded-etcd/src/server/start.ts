import { chmodSync } from 'node:fs';
import { randomInt, X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer as createNetServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Server as TLSServer } from 'node:tls';
import { messageOf } from '@kubechain/apimachinery/message-of';
import { callFramesProtocol } from '@kubechain/apimachinery/wire';
import { FrameServer } from '../grpc/frame-server.ts';
import { GrpcServer } from '../grpc/grpc-server.ts';
import { joinedCallsPath } from '@kubechain/apimachinery/wire';
import { joinedCalls } from '../grpc/joined-calls.ts';
import type { Method } from '../grpc/method.ts';
import { kvMethods } from '../methods/kv-methods.ts';
import { leaseMethods } from '../methods/lease-methods.ts';
import { authMethods } from '../methods/auth-methods.ts';
import { clusterMethods } from '../methods/cluster-methods.ts';
import { maintenanceMethods } from '../methods/maintenance-methods.ts';
import { openWatchStream } from '../watch/watch-stream.ts';
import { followCertificateFiles } from './certificate-files.ts';
import { listenForHealth } from './health-listener.ts';
import { httpEndpoints } from './http-endpoints.ts';
import { closeStore, openStore } from './open-store.ts';
import type { EmbeddedEtcdOptions } from './options.ts';
import { completeOptions } from './options.ts';
import type { ServerContext } from '../context/server-context.ts';
import { removeDeadSocket } from './dead-socket.ts';
import { portSharing } from './port-sharing.ts';

/** How long open calls may take to end when the server stops. */
const CLOSE_GRACE_MS = 1000;

/** A running store. */
export interface EmbeddedEtcd {
  /** What clients connect to: `http://127.0.0.1:2379`, `https://…` with TLS, or `unix:PATH`. */
  readonly endpoint: string;
  /** The bound address; `port` is 0 for a unix socket. */
  readonly address: { readonly host: string; readonly port: number };
  /** Ends watches and calls, commits, and closes the file. Idempotent. */
  close(): Promise<void>;
}

/** Why `healthAddress` cannot be listened on. */
export class HealthListenerError extends Error {
  override readonly name = 'HealthListenerError';
}

/**
 * Opens the data file and serves the etcd v3 API on it.
 *
 * @throws DataFileError when the file is in use, corrupt or another program's
 * @throws the socket's own error (`EADDRINUSE`, …) when the address cannot be bound
 */
export async function startEmbeddedEtcd(options: EmbeddedEtcdOptions): Promise<EmbeddedEtcd> {
  const completed = completeOptions(options);
  let urls: readonly string[] = [];
  const context = openStore(completed, { clientUrls: () => urls, newId: () => randomInt(1, 2 ** 47) });
  const methods = methodsOf(context);
  const grpc = new GrpcServer(methods, context.commit);
  const frames = new FrameServer(methods);
  const sockets = new Set<Socket>();
  let health: Server | undefined;
  const share = portSharing({ grpc, frames, endpoints: httpEndpoints(context) });
  const server = createServer(completed, share);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(socket));
  });
  try {
    if (completed.socketPath !== undefined) await removeDeadSocket(completed.socketPath);
    await listen(server, completed);
    // Whoever can connect can read and write everything.
    if (completed.socketPath !== undefined) chmodSync(completed.socketPath, 0o600);
    if (completed.healthAddress !== undefined) {
      health = await listenForHealth(context, completed.healthAddress).catch((cause: unknown) => {
        throw new HealthListenerError(messageOf(cause), { cause });
      });
      health.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
    }
  } catch (error) {
    server.close();
    closeStore(context);
    throw error;
  }
  const { tls } = completed;
  const stopFollowing =
    tls?.files === undefined
      ? undefined
      : followCertificateFiles(tls.files, {
          inUse: tls,
          apply: ({ cert, key, trustedCa }) => {
            // OpenSSL would take a text without certificates for no authority, and refuse everybody.
            if (trustedCa !== undefined) void new X509Certificate(trustedCa);
            (server as TLSServer).setSecureContext({
              cert,
              key,
              ...(trustedCa === undefined ? {} : { ca: trustedCa, allowPartialTrustChain: true }),
            });
          },
        });
  const bound = server.address();
  const address =
    bound !== null && typeof bound === 'object'
      ? { host: bound.address, port: bound.port }
      : { host: completed.socketPath ?? '', port: 0 };
  const endpoint = endpointOf(completed, server.address());
  urls = [endpoint];
  let closing: Promise<void> | undefined;
  const shutDown = async (): Promise<void> => {
    stopFollowing?.();
    health?.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    context.hub.close();
    await Promise.all([grpc.close(CLOSE_GRACE_MS), frames.close(CLOSE_GRACE_MS)]);
    for (const socket of sockets) socket.destroy();
    await closed;
    closeStore(context);
  };
  return { endpoint, address, close: () => (closing ??= shutDown()) };
}

function methodsOf(context: ServerContext): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>([
    ...kvMethods(context),
    ['/etcdserverpb.Watch/Watch', { kind: 'stream', open: (replies) => openWatchStream(context.hub, replies) }],
    ...leaseMethods(context),
    ...maintenanceMethods(context),
    ...clusterMethods(context),
    ...authMethods(context),
  ]);
  return new Map([...methods, [joinedCallsPath, joinedCalls(methods, context.commit)]]);
}

function createServer(options: ReturnType<typeof completeOptions>, take: (socket: Socket) => void): Server {
  const { tls } = options;
  if (tls === undefined) return createNetServer({ noDelay: true }, take);
  const secure = process.getBuiltinModule('node:tls').createServer({
    ALPNProtocols: [callFramesProtocol, 'h2', 'http/1.1'],
    cert: tls.cert,
    key: tls.key,
    ...(tls.trustedCa === undefined ? {} : { ca: tls.trustedCa, allowPartialTrustChain: true }),
    requestCert: tls.clientCertAuth,
    rejectUnauthorized: tls.clientCertAuth,
  });
  secure.on('secureConnection', take);
  return secure;
}

function listen(server: Server, options: ReturnType<typeof completeOptions>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const done = (): void => {
      server.removeListener('error', reject);
      resolve();
    };
    if (options.socketPath !== undefined) server.listen(options.socketPath, done);
    else server.listen(options.port, options.host, done);
  });
}

function endpointOf(options: ReturnType<typeof completeOptions>, bound: string | AddressInfo | null): string {
  if (bound === null || typeof bound === 'string') return `unix:${options.socketPath ?? ''}`;
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `${options.tls === undefined ? 'http' : 'https'}://${host}:${bound.port}`;
}
