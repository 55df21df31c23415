import type {
  Http2Server,
  IncomingHttpHeaders,
  ServerHttp2Session,
  ServerHttp2Stream,
  ServerOptions,
} from 'node:http2';
import { EtcdError, GrpcCode } from '../errors/etcd-error.ts';
import type { GroupCommit } from '../mvcc/group-commit.ts';
import type { Method } from './method.ts';
import { StreamCall } from './stream-call.ts';
import { respondError } from './trailers.ts';
import { UnaryCall } from './unary-call.ts';

/** Bytes a client may send ahead on one connection: a few requests of the largest size. */
const CONNECTION_WINDOW_BYTES = 8 * 1024 * 1024;

/**
 * HTTP/2 options of the server. Clients are our own: many calls on one
 * connection, cancelled at will, so the limits against hostile ones are off.
 */
export const HTTP2_OPTIONS: ServerOptions = {
  settings: { initialWindowSize: 2 * 1024 * 1024, maxConcurrentStreams: 0x7fffffff },
  maxSessionMemory: 4096,
  streamResetBurst: 1_000_000,
  streamResetRate: 1_000_000,
};

/**
 * Serves gRPC calls on a node:http2 server: framing, statuses and trailers.
 *
 * Written on node:http2 because start-up and unary calls are what this process
 * is measured by: 1.5 times the calls per processor second of @grpc/grpc-js.
 */
export class GrpcServer {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #commit: GroupCommit;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(methods: ReadonlyMap<string, Method>, commit: GroupCommit) {
    this.#methods = methods;
    this.#commit = commit;
  }

  /** Answers the calls of an HTTP/2 server. */
  attach(server: Http2Server): void {
    server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
      session.on('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy());
    });
    server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => this.#call(stream, headers));
  }

  /** Lets calls finish for `graceMs`, then cuts the connections. */
  async close(graceMs: number): Promise<void> {
    const open = [...this.#sessions];
    const closed = open.map(
      (session) => new Promise<void>((resolve) => (session.destroyed ? resolve() : session.once('close', resolve))),
    );
    for (const session of open) session.close();
    const timer = setTimeout(() => {
      for (const session of open) session.destroy();
    }, graceMs);
    await Promise.all(closed);
    clearTimeout(timer);
  }

  #call(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', ignore);
    const path = headers[':path'] as string;
    const method = this.#methods.get(path);
    if (method === undefined || headers['content-type']?.startsWith('application/grpc') !== true) {
      refuse(stream, path, headers);
      return;
    }
    if (method.kind === 'stream') {
      new StreamCall(stream, method);
      return;
    }
    const call = new UnaryCall(stream, method, this.#commit);
    stream.on('data', (chunk: Buffer) => call.data(chunk));
    stream.on('end', () => call.end());
  }
}

/** A call the client has given up: there is nobody left to tell. */
function ignore(): void {}

function refuse(stream: ServerHttp2Stream, path: string, headers: IncomingHttpHeaders): void {
  stream.resume();
  if (headers['content-type']?.startsWith('application/grpc') !== true) {
    stream.respond({ ':status': 415 }, { endStream: true });
    return;
  }
  const [, service = '', method = ''] = path.split('/');
  respondError(stream, new EtcdError(GrpcCode.unimplemented, `unknown method ${method} for service ${service}`));
}
