import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { messageOf } from '@kubechain/apimachinery';
import { Endpoint, patientKeepalive } from '@kubechain/shared-storage/etcd';
import { withoutSpan } from '@kubechain/shared-storage/tracing';
import { Logger } from '../logging/logger.ts';
import { collectorAddress } from './collector-address.ts';

const log = new Logger('tracing');
const exportPath = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
/** Of OTLP exporters by default. */
const timeoutMs = 10_000;
/** Between log lines about a collector that is not there: spans are sent every five seconds. */
const complainEveryMs = 60_000;

/**
 * Sends spans by OTLP over gRPC, the one form that kube-apiserver speaks; what cannot be sent is dropped, as the SDK
 * of the reference does after its retries, and told once a minute.
 */
export class OTLPExporter implements SpanExporter {
  readonly #endpoint: Endpoint;
  readonly #now: () => number;
  #complainedAt = Number.NEGATIVE_INFINITY;

  /** @param target a gRPC target; default `localhost:4317` */
  constructor(target: string | undefined, now: () => number) {
    this.#now = now;
    this.#endpoint = new Endpoint(collectorAddress(target), {
      connectTimeoutMs: 5_000,
      ...patientKeepalive,
      peer: 'the collector',
    });
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    withoutSpan(() => this.#send(spans)).then(
      () => {
        done({ code: ExportResultCode.SUCCESS });
      },
      (error: unknown) => {
        this.#complain(spans.length, error);
        done({ code: ExportResultCode.FAILED, error: error instanceof Error ? error : new Error(String(error)) });
      },
    );
  }

  async #send(spans: ReadableSpan[]): Promise<void> {
    const message = ProtobufTraceSerializer.serializeRequest(spans);
    if (message === undefined) return;
    const frame = Buffer.allocUnsafe(5 + message.length);
    frame.writeUInt8(0, 0);
    frame.writeUInt32BE(message.length, 1);
    frame.set(message, 5);
    await this.#endpoint.unary(exportPath, frame, { timeoutMs });
  }

  #complain(spans: number, error: unknown): void {
    const now = this.#now();
    if (now - this.#complainedAt < complainEveryMs) return;
    this.#complainedAt = now;
    log.warning('traces cannot be exported', { spans, err: messageOf(error) });
  }

  shutdown(): Promise<void> {
    this.#endpoint.close();
    return Promise.resolve();
  }
}
