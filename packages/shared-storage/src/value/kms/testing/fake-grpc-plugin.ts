import { createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';

/** What a plugin of a test answers: the framed message, and a gRPC status other than 0 in place of it. */
export interface FakeAnswer {
  readonly frame: Buffer;
  readonly status?: number;
}

/** A plugin on a unix socket that answers unary calls. */
export abstract class FakeGRPCPlugin {
  readonly calls: string[] = [];
  readonly #service: string;
  readonly #server: Http2Server = createServer();
  readonly #sessions = new Set<ServerHttp2Session>();

  /** @param service the gRPC service */
  constructor(service: string) {
    this.#service = service;
  }

  protected abstract answer(method: string, request: Buffer): FakeAnswer;

  async listen(path: string): Promise<void> {
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => this.#called(stream, String(headers[':path']), Buffer.concat(chunks).subarray(5)));
    });
    await new Promise<void>((resolve) => this.#server.listen(path, resolve));
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #called(stream: ServerHttp2Stream, path: string, request: Buffer): void {
    const method = path.replace(`/${this.#service}/`, '');
    this.calls.push(method);
    const { frame, status = 0 } = this.answer(method, request);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(status) }));
    stream.end(status === 0 ? frame : Buffer.alloc(0));
  }
}
