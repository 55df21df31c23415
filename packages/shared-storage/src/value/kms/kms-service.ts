import { WireWriter } from '@kubechain/apimachinery/wire';
import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../etcd-client/endpoint.ts';
import { EncryptionMetrics } from '../encryption-metrics.ts';
import type { Annotations } from './encrypted-object.ts';
import { readAnnotation, writeAnnotations } from './encrypted-object.ts';
import { answerDecoder, pluginEndpoint, readBytes, type KMSPluginAddress } from './plugin-endpoint.ts';

/** Ids and annotations around what is to be encrypted or decrypted. */
const overheadBytes = 256;

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

export interface KMSServiceOptions extends KMSPluginAddress {
  /** Name in the configuration; for metrics. */
  readonly provider: string;
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
    this.#endpoint = pluginEndpoint({ endpoint, timeoutMs });
    this.#timeoutMs = timeoutMs;
  }

  async status(): Promise<KMSStatus> {
    return await this.#call('Status', new WireWriter(), readStatus);
  }

  async encrypt(plaintext: Buffer): Promise<KMSEncrypted> {
    const writer = new WireWriter(plaintext.length + overheadBytes);
    writer.textField(0x12, randomUUID());
    writer.bytesField(0x0a, plaintext);
    return await this.#call('Encrypt', writer, readEncrypted);
  }

  async decrypt({ ciphertext, keyID, annotations }: KMSEncrypted): Promise<Buffer> {
    const writer = new WireWriter(ciphertext.length + overheadBytes);
    writeAnnotations(writer, 0x22, annotations);
    writer.textField(0x1a, keyID);
    writer.textField(0x12, randomUUID());
    writer.bytesField(0x0a, ciphertext);
    return await this.#call('Decrypt', writer, readBytes);
  }

  async #call<T>(method: string, request: WireWriter, read: (answer: Buffer) => T): Promise<T> {
    const path = `/v2.KeyManagementService/${method}`;
    const startedMs = performance.now();
    const record = (error?: unknown): void => {
      this.#metrics.kmsOperation(this.#provider, path, { seconds: (performance.now() - startedMs) / 1000, error });
    };
    try {
      const answer = await this.#endpoint.unary(path, request.finishFrame(), { timeoutMs: this.#timeoutMs });
      const result = read(answer);
      record();
      return result;
    } catch (error) {
      record(error);
      throw error;
    }
  }

  close(): void {
    this.#endpoint.close();
  }
}

const readStatus = answerDecoder((reader): KMSStatus => {
  let version = '';
  let healthz = '';
  let keyID = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) version = reader.text();
    else if (tag === 18) healthz = reader.text();
    else if (tag === 26) keyID = reader.text();
    else reader.skip(tag);
  }
  return { version, healthz, keyID };
});

const readEncrypted = answerDecoder((reader): KMSEncrypted => {
  let ciphertext: Buffer = Buffer.alloc(0);
  let keyID = '';
  const annotations = new Map<string, Buffer>();
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) ciphertext = reader.bytes();
    else if (tag === 18) keyID = reader.text();
    else if (tag === 26) annotations.set(...readAnnotation(reader));
    else reader.skip(tag);
  }
  return { ciphertext, keyID, annotations };
});
