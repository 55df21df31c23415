import { WireReader, WireWriter } from '@kubechain/apimachinery/wire';
import { expect } from 'chai';
import { createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { writeAnnotations } from '../encrypted-object.ts';

/** A KMS v2 plugin that "encrypts" by turning bytes around. */
export class FakePlugin {
  keyID = 'key-1';
  healthz = 'ok';
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

  #answer(stream: ServerHttp2Stream, path: string, request: Buffer): void {
    const method = path.replace('/v2.KeyManagementService/', '');
    this.calls.push(method);
    const writer = new WireWriter();
    if (method === 'Status') {
      writer.textField(26, this.keyID);
      writer.textField(18, this.healthz);
      writer.textField(10, 'v2');
    } else {
      const reader = new WireReader(request);
      let bytes: Buffer = Buffer.alloc(0);
      let annotated = false;
      for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
        if (tag === 10) bytes = reader.bytes();
        else {
          annotated ||= tag === 34;
          reader.skip(tag);
        }
      }
      expect(annotated, 'annotations come back with the key').to.equal(method === 'Decrypt');
      if (method === 'Encrypt') {
        writeAnnotations(writer, 26, new Map([['version.encryption.example.io', Buffer.from('1')]]));
        writer.textField(18, this.keyID);
      }
      writer.bytesField(10, Buffer.from(bytes).reverse());
    }
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(writer.finishFrame());
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
