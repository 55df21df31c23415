import { WireReader, WireWriter } from '@kubechain/apimachinery/wire';
import { createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';

/** A KMS v1 plugin that "encrypts" by turning bytes around. */
export class FakeV1Plugin {
  version = 'v1beta1';
  /** Calls are answered with this gRPC status. */
  status = 0;
  readonly calls: string[] = [];
  readonly #server: Http2Server = createServer();
  readonly #sessions = new Set<ServerHttp2Session>();

  async listen(path: string): Promise<void> {
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => this.#answer(stream, String(headers[':path']), Buffer.concat(chunks).subarray(5)));
    });
    await new Promise<void>((resolve) => this.#server.listen(path, resolve));
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(stream: ServerHttp2Stream, path: string, request: Buffer): void {
    const method = path.replace('/v1beta1.KeyManagementService/', '');
    this.calls.push(method);
    const writer = new WireWriter();
    if (method === 'Version') writer.textField(10, this.version);
    else {
      const reader = new WireReader(request);
      let bytes: Buffer = Buffer.alloc(0);
      for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
        if (tag === 18) bytes = reader.bytes();
        else reader.skip(tag);
      }
      writer.bytesField(10, Buffer.from(bytes).reverse());
    }
    const status = method === 'Version' ? 0 : this.status;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(status) }));
    stream.end(status === 0 ? writer.finishFrame() : Buffer.alloc(0));
  }
}
