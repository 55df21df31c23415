import { healthyAnswerMs, unhealthyAnswerMs } from './answer-lifetimes.ts';
import { randomBytes } from 'node:crypto';
import type { TimerClock } from '@kubechain/apimachinery';
import { messageOf } from '@kubechain/apimachinery';
import { AESCBCTransformer } from '../aes-cbc.ts';
import { AESGCMTransformer } from '../aes-gcm.ts';
import { EncryptionMetrics } from '../encryption-metrics.ts';
import { TransformError } from '../transform-error.ts';
import type { Untransformed, ValueTransformer } from '../transformer.ts';
import type { KMSV1Service } from './kms-v1-service.ts';

const lengthBytes = 2;

export interface KMSV1TransformerOptions {
  readonly clock: TimerClock;
  readonly metrics?: EncryptionMetrics;
  /** Decrypted keys that are kept; 0 and less: none. */
  readonly cacheSize: number;
}

/** The two ways in which a key has been used: AES-GCM since 1.25, AES-CBC before. */
interface KeyTransformers {
  readonly gcm: AESGCMTransformer;
  readonly cbc: AESCBCTransformer;
}

/**
 * Envelope encryption with a KMS v1 plugin (envelope.go, 1.36): every value has a key of its own, which the plugin
 * encrypts and which stands before the value. Each write asks the plugin, and each read whose key is not kept.
 */
export class KMSV1Transformer implements ValueTransformer {
  readonly #name: string;
  readonly #service: KMSV1Service;
  readonly #clock: TimerClock;
  readonly #metrics: EncryptionMetrics;
  readonly #cacheSize: number;
  /** By the encrypted key in base64, the least used first. */
  readonly #keys = new Map<string, KeyTransformers>();
  #failure: TransformError | undefined;
  #answerExpiresMs = 0;
  #asking: Promise<void> | undefined;

  constructor(name: string, service: KMSV1Service, options: KMSV1TransformerOptions) {
    this.#name = name;
    this.#service = service;
    this.#clock = options.clock;
    this.#metrics = options.metrics ?? new EncryptionMetrics();
    this.#cacheSize = options.cacheSize;
  }

  async fromStorage(value: Uint8Array, key: string): Promise<Untransformed> {
    const stored = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const end = stored.length < lengthBytes ? Number.NaN : lengthBytes + stored.readUInt16BE(0);
    if (!(end <= stored.length))
      throw new TransformError(
        'invalid data encountered by envelope transformer: failed to read uint16 length prefixed data',
      );
    const { cbc, gcm } = await this.#keyOf(stored.subarray(lengthBytes, end));
    const data = stored.subarray(end);
    try {
      return gcm.fromStorage(data, key);
    } catch (first) {
      try {
        return { value: cbc.fromStorage(data).value, stale: true };
      } catch (second) {
        throw new TransformError(`[${messageOf(first)}, ${messageOf(second)}]`, { cause: first });
      }
    }
  }

  async toStorage(value: Uint8Array, key: string): Promise<Uint8Array> {
    const startedMs = performance.now();
    const plain = randomBytes(32);
    this.#metrics.keyGenerated((performance.now() - startedMs) / 1000);
    const encrypted = await this.#service.encrypt(plain);
    const { gcm } = this.#keep(encrypted, plain);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt16BE(encrypted.length);
    return Buffer.concat([length, encrypted, gcm.toStorage(value, key)]);
  }

  /** Has the plugin encrypt and decrypt, if it has not lately. @throws TransformError when it cannot */
  async checkHealth(): Promise<void> {
    if (this.#clock.now() >= this.#answerExpiresMs) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): void {
    this.#service.close();
  }

  async #ask(): Promise<void> {
    let section = 'encrypt';
    try {
      const encrypted = await this.#service.encrypt(Buffer.from('ping'));
      section = 'decrypt';
      await this.#service.decrypt(encrypted);
      this.#failure = undefined;
      this.#answerExpiresMs = this.#clock.now() + healthyAnswerMs;
    } catch (cause) {
      this.#failure = new TransformError(
        `failed to perform ${section} section of the healthz check for KMS Provider ${this.#name}, error: ` +
          messageOf(cause),
        { cause },
      );
      this.#answerExpiresMs = this.#clock.now() + unhealthyAnswerMs;
    }
  }

  async #keyOf(encrypted: Buffer): Promise<KeyTransformers> {
    const cacheKey = encrypted.toString('base64');
    const known = this.#keys.get(cacheKey);
    if (known !== undefined) {
      this.#keys.delete(cacheKey);
      this.#keys.set(cacheKey, known);
      return known;
    }
    if (this.#cacheSize > 0) this.#metrics.cacheMiss();
    return this.#keep(encrypted, await this.#service.decrypt(encrypted));
  }

  #keep(encrypted: Buffer, plain: Buffer): KeyTransformers {
    const made = { gcm: new AESGCMTransformer(plain), cbc: new AESCBCTransformer(plain) };
    if (this.#cacheSize <= 0) return made;
    const cacheKey = encrypted.toString('base64');
    this.#keys.delete(cacheKey);
    this.#keys.set(cacheKey, made);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > this.#cacheSize && oldest !== undefined) this.#keys.delete(oldest);
    this.#metrics.keyCacheFilled(this.#keys.size / this.#cacheSize);
    return made;
  }
}
