import { randomBytes } from 'node:crypto';
import { AESGCMTransformer } from '../aes-gcm.ts';
import { TransformError } from '../transform-error.ts';
import type { Untransformed, ValueTransformer } from '../transformer.ts';
import { checkDEKSource, checkKeyID, decodeEncryptedObject, dekSourceTypes, encodeEncryptedObject } from './encrypted-object.ts';
import type { EncryptedObject } from './encrypted-object.ts';
import { ExtendedNonceGCMTransformer } from './extended-nonce-gcm.ts';
import type { KMSEncrypted, KMSService } from './kms-service.ts';

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

/**
 * Envelope encryption with a KMS v2 plugin (envelope/kmsv2): values are encrypted here with keys derived from a seed,
 * and the plugin encrypts the seed. The plugin is asked once a minute which key it uses; with another key comes a new
 * seed, and what was written before is stale.
 */
export class KMSTransformer implements ValueTransformer {
  readonly #name: string;
  readonly #service: KMSService;
  readonly #now: () => number;
  readonly #readers = new Map<string, Promise<ValueTransformer>>();
  #state: WriteState | undefined;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: TransformError | undefined;
  #closed = false;

  constructor(name: string, service: KMSService, now: () => number = Date.now) {
    this.#name = name;
    this.#service = service;
    this.#now = now;
  }

  async fromStorage(value: Uint8Array, key: string): Promise<Untransformed> {
    const object = decodeEncryptedObject(value);
    const reader = await this.#reader(object);
    const read = await reader.fromStorage(object.data, key);
    const state = await this.#current();
    return { value: read.value, stale: object.keyID !== state.seed.keyID || object.dekSourceType !== dekSourceTypes.hkdfSeed };
  }

  async toStorage(value: Uint8Array, key: string): Promise<Uint8Array> {
    const state = await this.#current();
    if (this.#now() > state.expiresMs) throw this.#failure ?? new TransformError(`the seed of KMS provider ${this.#name} has expired`);
    const { ciphertext, keyID, annotations } = state.seed;
    return encodeEncryptedObject({ data: Buffer.from(state.transformer.toStorage(value, key)), keyID, dekSource: ciphertext, annotations, dekSourceType: dekSourceTypes.hkdfSeed });
  }

  /** Asks the plugin now. @throws TransformError when it is not healthy */
  async checkHealth(): Promise<void> {
    await this.#refresh();
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#service.close();
  }

  async #current(): Promise<WriteState> {
    if (this.#state === undefined) await this.#refresh();
    if (this.#state === undefined) throw this.#failure ?? new TransformError(`KMS provider ${this.#name} is not available`);
    return this.#state;
  }

  /** The key that an object was encrypted with, decrypted by the plugin once. */
  #reader(object: EncryptedObject): Promise<ValueTransformer> {
    const cacheKey = [object.dekSourceType, object.keyID, object.dekSource.toString('base64'), ...[...object.annotations].map(([name, value]) => `${name}=${value.toString('base64')}`)].join('\n');
    let reader = this.#readers.get(cacheKey);
    if (reader === undefined) {
      reader = this.#decryptKey(object);
      if (this.#readers.size >= maxCachedKeys) this.#readers.clear();
      this.#readers.set(cacheKey, reader);
      reader.catch(() => this.#readers.delete(cacheKey));
    }
    return reader;
  }

  async #decryptKey({ dekSource, keyID, annotations, dekSourceType }: EncryptedObject): Promise<ValueTransformer> {
    let key: Buffer;
    try {
      key = await this.#service.decrypt({ ciphertext: dekSource, keyID, annotations });
    } catch (cause) {
      throw new TransformError(`failed to decrypt DEK, error: ${messageOf(cause)}`, { cause });
    }
    return dekSourceType === dekSourceTypes.hkdfSeed ? new ExtendedNonceGCMTransformer(key) : new AESGCMTransformer(key);
  }

  /** Asks for the plugin's state, and again in a while. Never rejects. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#askStatus().then(
      () => { this.#failure = undefined; },
      (error: unknown) => { this.#failure = new TransformError(`kmsv2 Provider ${this.#name} is not healthy, error: ${messageOf(error)}`, { cause: error }); },
    ).finally(() => {
      this.#refreshing = undefined;
      clearTimeout(this.#timer);
      if (this.#closed) return;
      this.#timer = setTimeout(() => { void this.#refresh(); }, this.#failure === undefined ? healthyIntervalMs : unhealthyIntervalMs);
      this.#timer.unref();
    });
    return this.#refreshing;
  }

  async #askStatus(): Promise<void> {
    const expiresMs = this.#now() + maxSeedAgeMs;
    const { version, healthz, keyID } = await this.#service.status();
    if (healthz !== 'ok') throw new TransformError(`got unexpected healthz status: ${healthz}`);
    if (version !== 'v2' && version !== 'v2beta1') throw new TransformError(`expected KMSv2 API version v2, got ${version}`);
    checkKeyID(keyID);
    if (this.#state?.seed.keyID === keyID) {
      this.#state = { ...this.#state, expiresMs };
      return;
    }
    const plain = randomBytes(32);
    const seed = await this.#service.encrypt(plain);
    checkDEKSource(seed.ciphertext);
    if (seed.keyID !== keyID) throw new TransformError('the plugin encrypts with another key than its status tells');
    this.#state = { transformer: new ExtendedNonceGCMTransformer(plain), seed, expiresMs };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
