import { healthyAnswerMs, unhealthyAnswerMs } from './answer-lifetimes.ts';
import type { Timer, TimerClock } from '@kubechain/apimachinery';
import { messageOf } from '@kubechain/apimachinery';
import { randomBytes } from 'node:crypto';
import { noted, notedFailure } from '../../tracing/noted.ts';
import { traced, type Span, type SpanAttributes } from '../../tracing/span.ts';
import { AESGCMTransformer } from '../aes-gcm.ts';
import { EncryptionMetrics } from '../encryption-metrics.ts';
import { TransformError } from '../transform-error.ts';
import type { Untransformed, ValueTransformer } from '../transformer.ts';
import {
  checkDEKSource,
  checkKeyID,
  decodeEncryptedObject,
  dekSourceTypes,
  encodeEncryptedObject,
  keyIDProblem,
} from './encrypted-object.ts';
import type { EncryptedObject } from './encrypted-object.ts';
import { ExtendedNonceGCMTransformer } from './extended-nonce-gcm.ts';
import type { KMSEncrypted, KMSService, KMSStatus } from './kms-service.ts';

/** What new values are written with. */
interface WriteState {
  readonly transformer: ExtendedNonceGCMTransformer;
  readonly seed: KMSEncrypted;
  /** Until then writes may go on although the plugin is not healthy. */
  readonly expiresMs: number;
}

const healthyIntervalMs = 60_000;
const unhealthyIntervalMs = 10_000;
/** How long writes go on with a seed while the plugin is not healthy. */
const maxSeedAgeMs = 3 * 60_000;
/** Decrypted keys kept: about one for each start of a server and each key of the plugin. */
const maxCachedKeys = 1_000;

export interface KMSTransformerOptions {
  readonly clock: TimerClock;
  readonly metrics?: EncryptionMetrics;
}

/**
 * Envelope encryption with a KMS v2 plugin (envelope/kmsv2): values are encrypted here with keys derived from a seed,
 * and the plugin encrypts the seed. The plugin is asked once a minute which key it uses; with another key comes a new
 * seed, and what was written before is stale.
 */
export class KMSTransformer implements ValueTransformer {
  readonly #name: string;
  readonly #service: KMSService;
  readonly #clock: TimerClock;
  readonly #metrics: EncryptionMetrics;
  readonly #readers = new Map<string, Promise<ValueTransformer>>();
  #state: WriteState | undefined;
  #refreshing: Promise<void> | undefined;
  #timer: Timer | undefined;
  #failure: TransformError | undefined;
  #answerExpiresMs = 0;
  /** Version of the first answer, which must not change. */
  #version: string | undefined;
  #closed = false;

  constructor(name: string, service: KMSService, options: KMSTransformerOptions) {
    this.#name = name;
    this.#service = service;
    this.#clock = options.clock;
    this.#metrics = options.metrics ?? new EncryptionMetrics();
  }

  fromStorage(value: Uint8Array, key: string): Promise<Untransformed> {
    return traced('TransformFromStorage with envelopeTransformer', this.#spanAttributes, async (span) => {
      span?.event('About to decode encrypted object');
      const object = notedFailure(span, 'Decoding encrypted object failed', () => decodeEncryptedObject(value));
      span?.event('Decoded encrypted object');
      const state = await this.#current();
      const reader = await this.#reader(object, span);
      this.#metrics.keyUsed('from_storage', this.#name, object.keyID);
      span?.event('About to decrypt data using DEK');
      const read = await noted(span, { name: 'Data decryption' }, async () => reader.fromStorage(object.data, key));
      return {
        value: read.value,
        stale: object.keyID !== state.seed.keyID || object.dekSourceType !== dekSourceTypes.hkdfSeed,
      };
    });
  }

  toStorage(value: Uint8Array, key: string): Promise<Uint8Array> {
    return traced('TransformToStorage with envelopeTransformer', this.#spanAttributes, async (span) => {
      const state = await this.#current();
      if (this.#clock.now() > state.expiresMs)
        throw this.#failure ?? new TransformError(`the seed of KMS provider ${this.#name} has expired`);
      const { ciphertext, keyID, annotations } = state.seed;
      span?.event('About to encrypt data using DEK');
      const data = notedFailure(span, 'Data encryption failed', () =>
        Buffer.from(state.transformer.toStorage(value, key)),
      );
      span?.event('Data encryption succeeded');
      this.#metrics.keyUsed('to_storage', this.#name, keyID);
      span?.event('About to encode encrypted object');
      const encoded = notedFailure(span, 'Encoding encrypted object failed', () =>
        encodeEncryptedObject({
          data,
          keyID,
          dekSource: ciphertext,
          annotations,
          dekSourceType: dekSourceTypes.hkdfSeed,
        }),
      );
      span?.event('Encoded encrypted object');
      return encoded;
    });
  }

  /** Upstream's (envelope/kmsv2/envelope.go, 1.36). */
  readonly #spanAttributes = (): SpanAttributes => ({ 'transformer.provider.name': this.#name });

  /** Asks the plugin, if its last answer is not young enough. @throws TransformError when it is not healthy */
  async checkHealth(): Promise<void> {
    await this.#refresh();
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#service.close();
  }

  async #current(): Promise<WriteState> {
    if (this.#state === undefined) await this.#refresh();
    if (this.#state === undefined)
      throw this.#failure ?? new TransformError(`KMS provider ${this.#name} is not available`);
    return this.#state;
  }

  /** The key that an object was encrypted with, decrypted by the plugin once. */
  #reader(object: EncryptedObject, span: Span | undefined): Promise<ValueTransformer> {
    const cacheKey = keyOf(object);
    let reader = this.#readers.get(cacheKey);
    if (reader === undefined) {
      span?.event('About to decrypt DEK using remote service');
      reader = this.#decryptKey(object);
      this.#metrics.cacheMiss();
      this.#cache(cacheKey, reader);
      reader.then(
        () => span?.event('DEK decryption succeeded'),
        () => {
          span?.event('DEK decryption failed');
          this.#readers.delete(cacheKey);
          this.#metrics.cachedKeys(this.#name, this.#readers.size);
        },
      );
    }
    return reader;
  }

  #cache(cacheKey: string, reader: Promise<ValueTransformer>): void {
    if (this.#readers.size >= maxCachedKeys) this.#readers.clear();
    this.#readers.set(cacheKey, reader);
    this.#metrics.cachedKeys(this.#name, this.#readers.size);
  }

  async #decryptKey({ dekSource, keyID, annotations, dekSourceType }: EncryptedObject): Promise<ValueTransformer> {
    let key: Buffer;
    try {
      key = await this.#service.decrypt({ ciphertext: dekSource, keyID, annotations });
    } catch (cause) {
      throw new TransformError(`failed to decrypt DEK, error: ${messageOf(cause)}`, { cause });
    }
    return dekSourceType === dekSourceTypes.hkdfSeed
      ? new ExtendedNonceGCMTransformer(key)
      : new AESGCMTransformer(key);
  }

  /** Asks for the plugin's state, and again in a while. Never rejects. */
  #refresh(): Promise<void> {
    if (this.#clock.now() < this.#answerExpiresMs) return Promise.resolve();
    this.#refreshing ??= this.#askStatus()
      .then(
        () => {
          this.#failure = undefined;
        },
        (error: unknown) => {
          this.#failure =
            error instanceof TransformError ? error : new TransformError(messageOf(error), { cause: error });
        },
      )
      .finally(() => {
        this.#refreshing = undefined;
        this.#answerExpiresMs = this.#clock.now() + (this.#failure === undefined ? healthyAnswerMs : unhealthyAnswerMs);
        this.#timer?.cancel();
        if (this.#closed) return;
        this.#timer = this.#clock.setTimer(
          () => {
            void this.#refresh();
          },
          this.#failure === undefined ? healthyIntervalMs : unhealthyIntervalMs,
        );
      });
    return this.#refreshing;
  }

  async #askStatus(): Promise<void> {
    const expiresMs = this.#clock.now() + maxSeedAgeMs;
    let status: KMSStatus;
    try {
      status = await this.#service.status();
    } catch (cause) {
      throw new TransformError(
        `failed to perform status section of the healthz check for KMS Provider ${this.#name}, error: ` +
          `${messageOf(cause)}`,
        { cause },
      );
    }
    // Each is told, as upstream does; a key is taken whatever else is wrong.
    const problems: unknown[] = [];
    if (status.healthz !== 'ok') problems.push(new TransformError(`got unexpected healthz status: ${status.healthz}`));
    const versionProblem = this.#versionProblem(status.version);
    if (versionProblem !== undefined) problems.push(versionProblem);
    try {
      await this.#useKey(status.keyID, expiresMs);
    } catch (error) {
      problems.push(error);
    }
    if (problems.length === 0) return;
    const texts = problems.map(messageOf);
    throw new TransformError(
      `kmsv2 Provider ${this.#name} is not healthy, error: ` +
        `${texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`}`,
      { cause: problems[0] },
    );
  }

  #versionProblem(version: string): TransformError | undefined {
    if (version !== 'v2' && version !== 'v2beta1')
      return new TransformError(`expected KMSv2 API version v2, got ${version}`);
    this.#version ??= version;
    return version === this.#version
      ? undefined
      : new TransformError(
          `KMSv2 API version should not change after the initial status response version ${this.#version}, ` +
            `got ${version}`,
        );
  }

  /** Goes on with the seed of this key, or takes a new one. @throws Error */
  async #useKey(keyID: string, expiresMs: number): Promise<void> {
    const problem = keyIDProblem(keyID);
    if (problem !== undefined) this.#metrics.invalidKeyID(this.#name, problem);
    checkKeyID(keyID);
    this.#metrics.keySeen(this.#name, keyID);
    if (this.#state?.seed.keyID === keyID) {
      this.#state = { ...this.#state, expiresMs };
      return;
    }
    const startedMs = performance.now();
    const plain = randomBytes(32);
    this.#metrics.keyGenerated((performance.now() - startedMs) / 1000);
    const seed = await this.#service.encrypt(plain);
    checkDEKSource(seed.ciphertext);
    if (seed.keyID !== keyID) throw new TransformError('the plugin encrypts with another key than its status tells');
    const transformer = new ExtendedNonceGCMTransformer(plain);
    this.#state = { transformer, seed, expiresMs };
    // What is written with it is read without the plugin.
    this.#cache(
      keyOf({
        dekSource: seed.ciphertext,
        keyID,
        annotations: seed.annotations,
        dekSourceType: dekSourceTypes.hkdfSeed,
      }),
      Promise.resolve(transformer),
    );
  }
}

/** Names an encrypted key or seed. */
function keyOf({ annotations, dekSource, dekSourceType, keyID }: Omit<EncryptedObject, 'data'>): string {
  return [
    dekSourceType,
    keyID,
    dekSource.toString('base64'),
    ...[...annotations].map(([name, value]) => `${name}=${value.toString('base64')}`),
  ].join('\n');
}
