import { randomUUID } from 'node:crypto';
import { Endpoint } from '../../etcd-client/endpoint.ts';
import { ProtobufReader } from '../../etcd-client/protobuf-reader.ts';
import { ProtobufWriter } from '../../etcd-client/protobuf-writer.ts';
import { EncryptionMetrics } from '../encryption-metrics.ts';
import type { Annotations } from './encrypted-object.ts';
import { readAnnotation, writeAnnotations } from './encrypted-object.ts';

export interface KMSStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyID: string;
}
export interface KMSEncrypted {
  readonly ciphertext: Buffer;
  readonly keyID: string;
  readonly annotations: Annotations;
}

export interface KMSServiceOptions {
  /** Name in the configuration; for metrics. */
  readonly provider: string;
  /** `unix:///path` */
  readonly endpoint: string;
  readonly timeoutMs: number;
  readonly metrics?: EncryptionMetrics;
}

/**
 * A KMS v2 plugin (k8s.io/kms/apis/v2 KeyManagementService) behind a unix socket. Calls reject with EtcdError of the
 * gRPC transport.
 */
export class KMSService {
  readonly #endpoint: Endpoint;
  readonly #timeoutMs: number;
  readonly #provider: string;
  readonly #metrics: EncryptionMetrics;

  constructor({ endpoint, metrics = new EncryptionMetrics(), provider, timeoutMs }: KMSServiceOptions) {
    this.#provider = provider;
    this.#metrics = metrics;
    this.#endpoint = new Endpoint(endpoint, {
      connectTimeoutMs: timeoutMs,
      keepaliveIntervalMs: 30_000,
      keepaliveTimeoutMs: 10_000,
    });
    this.#timeoutMs = timeoutMs;
  }

  async status(): Promise<KMSStatus> {
    const reader = await this.#call('Status', new ProtobufWriter());
    let version = '';
    let healthz = '';
    let keyID = '';
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === 10) version = reader.string();
      else if (tag === 18) healthz = reader.string();
      else if (tag === 26) keyID = reader.string();
      else reader.skip(tag);
    }
    return { version, healthz, keyID };
  }

  async encrypt(plaintext: Buffer): Promise<KMSEncrypted> {
    const writer = new ProtobufWriter();
    writer.bytes(1, plaintext);
    writer.string(2, randomUUID());
    const reader = await this.#call('Encrypt', writer);
    let ciphertext: Buffer = Buffer.alloc(0);
    let keyID = '';
    const annotations = new Map<string, Buffer>();
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === 10) ciphertext = reader.bytes();
      else if (tag === 18) keyID = reader.string();
      else if (tag === 26) annotations.set(...readAnnotation(reader));
      else reader.skip(tag);
    }
    return { ciphertext, keyID, annotations };
  }

  async decrypt({ ciphertext, keyID, annotations }: KMSEncrypted): Promise<Buffer> {
    const writer = new ProtobufWriter();
    writer.bytes(1, ciphertext);
    writer.string(2, randomUUID());
    writer.string(3, keyID);
    writeAnnotations(writer, 4, annotations);
    const reader = await this.#call('Decrypt', writer);
    let plaintext: Buffer = Buffer.alloc(0);
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === 10) plaintext = reader.bytes();
      else reader.skip(tag);
    }
    return plaintext;
  }

  async #call(method: string, request: ProtobufWriter): Promise<ProtobufReader> {
    const path = `/v2.KeyManagementService/${method}`;
    const startedMs = performance.now();
    const record = (error?: unknown): void => {
      this.#metrics.kmsOperation(this.#provider, path, { seconds: (performance.now() - startedMs) / 1000, error });
    };
    try {
      const answer = await this.#endpoint.unary(path, request.frame(), { timeoutMs: this.#timeoutMs });
      record();
      return new ProtobufReader(answer);
    } catch (error) {
      record(error);
      throw error;
    }
  }

  close(): void {
    this.#endpoint.close();
  }
}
