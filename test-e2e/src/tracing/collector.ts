import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ProtobufFields } from './protobuf-fields.ts';

/** A span as it was exported. */
export interface ExportedSpan {
  /** Which server's. */
  readonly server: string;
  readonly service: string;
  readonly traceID: string;
  readonly id: string;
  /** '' of a root. */
  readonly parent: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  /** Traces that it is linked to. */
  readonly links: readonly string[];
  readonly failed: boolean;
}

/** Receives OTLP over gRPC, as an OpenTelemetry collector does. Field numbers are those of opentelemetry-proto 1.5. */
export class Collector {
  readonly spans: ExportedSpan[] = [];
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(server: Http2Server) {
    this.#server = server;
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (headers[':path'] === '/opentelemetry.proto.collector.trace.v1.TraceService/Export')
          this.#receive(Buffer.concat(chunks).subarray(5));
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () => {
          stream.sendTrailers({ 'grpc-status': '0' });
        });
        stream.end(Buffer.alloc(5));
      });
    });
  }

  static async start(): Promise<Collector> {
    const collector = new Collector(createServer());
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  get endpoint(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, once all of `names` are among them. */
  async trace(traceID: string, names: readonly string[], timeoutMs = 30_000): Promise<readonly ExportedSpan[]> {
    for (const deadline = Date.now() + timeoutMs; ;) {
      const found = this.spans.filter((span) => span.traceID === traceID);
      const missing = names.filter((name) => !found.some((span) => span.name === name));
      if (missing.length === 0) return found;
      if (Date.now() > deadline)
        throw new Error(
          `not exported: ${missing.join(', ')}; only ${found.map((span) => `${span.server}: ${span.name}`).join(', ')}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /**
   * The same when all of the trace has come: processes send their spans at times of their own. `caller`: the span of
   * whoever began the trace, which is not sent here.
   */
  async wholeTrace(traceID: string, names: readonly string[], caller: string): Promise<readonly ExportedSpan[]> {
    for (const deadline = Date.now() + 30_000; ;) {
      const found = await this.trace(traceID, names);
      const known = new Set([caller, ...found.map(({ id }) => id)]);
      const orphans = found.filter(({ parent }) => !known.has(parent)).map(({ name, server }) => `${server}: ${name}`);
      if (orphans.length === 0) return found;
      if (Date.now() > deadline) throw new Error(`without the spans that they belong to: ${orphans.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
    this.#server.close();
  }

  #receive(message: Buffer): void {
    for (const resourceSpans of new ProtobufFields(message).messages(1)) {
      const resource = attributesOf(resourceSpans.messages(1)[0], 1);
      for (const scope of resourceSpans.messages(2))
        for (const span of scope.messages(2))
          this.spans.push({
            server: resource['kubechain.server'] ?? '',
            service: resource['service.name'] ?? '',
            traceID: span.hex(1),
            id: span.hex(2),
            parent: span.hex(4),
            name: span.text(5),
            kind: Number(span.number(6) ?? 0n),
            startNs: span.number(7) ?? 0n,
            endNs: span.number(8) ?? 0n,
            attributes: attributesOf(span, 9),
            events: span.messages(11).map((event) => event.text(2)),
            links: span.messages(13).map((link) => link.hex(1)),
            failed: span.messages(15)[0]?.number(3) === 2n,
          });
    }
  }
}

function attributesOf(message: ProtobufFields | undefined, field: number): Record<string, string> {
  return Object.fromEntries(
    (message?.messages(field) ?? []).map((attribute) => {
      const value = attribute.messages(2)[0];
      return [attribute.text(1), String(value?.number(3) ?? value?.number(2) ?? value?.text(1) ?? '')];
    }),
  );
}
