import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { WireReader, WireWriter } from '@kubechain/apimachinery/wire';

interface FakeKey {
  readonly id: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly excluded: boolean;
}

/** A program that signs service account tokens (k8s.io/externaljwt/apis/v1), behind a unix socket. */
export class FakeSigner {
  readonly calls: string[] = [];
  /** Seconds. */
  maxExpiration = 7200;
  refreshHint = 2;
  /** Of what is signed from now on; default: that of the last key. */
  header: Readonly<Record<string, unknown>> | undefined;
  readonly #keys: FakeKey[] = [];
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #server: Http2Server = createServer();

  constructor() {
    this.addKey('key-1');
  }

  /** Signs with another key from now on. */
  addKey(id: string, { excluded = false }: { readonly excluded?: boolean } = {}): void {
    this.#keys.push({ id, excluded, ...generateKeyPairSync('ec', { namedCurve: 'prime256v1' }) });
  }

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
    const method = path.split('/').at(-1) ?? '';
    this.calls.push(method);
    // Fields are written from the last one to the first.
    const writer = new WireWriter();
    if (method === 'Metadata') writer.integerField(0x08, this.maxExpiration);
    else if (method === 'FetchKeys') this.#writeKeys(writer);
    else this.#writeSignature(writer, request);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(writer.finishFrame());
  }

  #writeKeys(writer: WireWriter): void {
    writer.integerField(0x18, this.refreshHint);
    const timestamp = new WireWriter();
    timestamp.integerField(0x08, 1_767_225_600);
    writer.bytesField(0x12, timestamp.finish());
    for (const { excluded, id, publicKey } of this.#keys.toReversed()) {
      const key = new WireWriter();
      if (excluded) key.integerField(0x18, 1);
      key.bytesField(0x12, publicKey.export({ type: 'spki', format: 'der' }));
      key.textField(0x0a, id);
      writer.bytesField(0x0a, key.finish());
    }
  }

  #writeSignature(writer: WireWriter, request: Buffer): void {
    const reader = new WireReader(request);
    reader.tag();
    const payload = reader.text();
    const { id, privateKey } = this.#keys.at(-1) as FakeKey;
    const fields = this.header ?? { alg: 'ES256', kid: id, typ: 'JWT' };
    const header = Buffer.from(JSON.stringify(fields)).toString('base64url');
    const signature = sign('sha256', Buffer.from(`${header}.${payload}`), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    writer.textField(0x12, signature.toString('base64url'));
    writer.textField(0x0a, header);
  }
}
