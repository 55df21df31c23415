import { createPublicKey } from 'node:crypto';
import { isPlainObject, messageOf } from '@kubechain/apimachinery';
import type { Timer, TimerClock } from '@kubechain/apimachinery';
import { WireWriter } from '@kubechain/apimachinery/wire';
import { Endpoint, patientKeepalive } from '@kubechain/shared-storage/etcd';
import type { ExternalSignerMetrics } from './external-signer-metrics.ts';
import { readKeys, readMaxExpiration, readSignature } from './external-signer-messages.ts';
import type { JWTClaims } from './jwt.ts';
import { payloadOf } from './jwt.ts';
import { verificationKey } from './keys.ts';
import type { KeySource, VerificationKey } from './keys.ts';

/** A key that the signer has told; some are for tokens of before only, and not told to others. */
export interface ExternalKey extends VerificationKey {
  readonly excludedFromDiscovery: boolean;
}

export interface ExternalSignerOptions {
  /** Path of a unix socket; `@name` for one without a file. */
  readonly path: string;
  readonly clock: TimerClock;
  readonly metrics: ExternalSignerMetrics;
  readonly onError: (error: unknown) => void;
}

/** What cannot be signed by the signer, or is not known of it. */
export class ExternalSignerError extends Error {
  override readonly name = 'ExternalSignerError';
}

const service = '/v1.ExternalJWTSigner';
const callMs = 60_000;
/** After how long keys are asked for again when that failed. */
const retryMs = 10_000;
const maxKeyIDLength = 1024;
const algorithms: ReadonlySet<unknown> = new Set(['RS256', 'ES256', 'ES384', 'ES512']);

/**
 * A program that signs service account tokens, behind a unix socket, and tells the keys to check them with. Source:
 * pkg/serviceaccount/externaljwt/plugin, 1.36.
 */
export class ExternalSigner implements KeySource {
  readonly #options: ExternalSignerOptions;
  readonly #endpoint: Endpoint;
  #keys: readonly ExternalKey[] = [];
  #refreshAtMs = 0;
  #fetching: Promise<void> | undefined;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: ExternalSignerOptions) {
    this.#options = options;
    this.#endpoint = new Endpoint(`unix:${options.path.replace(/^@/, '\0')}`, {
      connectTimeoutMs: callMs,
      ...patientKeepalive,
      peer: 'the external signer',
    });
  }

  /** All keys that are known now. */
  get keys(): readonly ExternalKey[] {
    return this.#keys;
  }

  /** For how long the keys may be believed, in whole seconds. */
  get maxAgeSeconds(): number {
    return Math.max(0, Math.floor((this.#refreshAtMs - this.#options.clock.now()) / 1000));
  }

  /** Asks for the keys, and goes on to do so when the signer wants it. @throws ExternalSignerError, EtcdError */
  fetchKeys(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  /** Keys of an id, all for ''; one that is not known is asked for. */
  async of(id: string): Promise<readonly ExternalKey[]> {
    const known = (): readonly ExternalKey[] => (id === '' ? this.#keys : this.#keys.filter((key) => key.id === id));
    if (known().length > 0) return known();
    await this.fetchKeys().catch(this.#options.onError);
    return known();
  }

  /** The longest life of its tokens in seconds. @throws EtcdError */
  async maxExpirationSeconds(): Promise<number> {
    return this.#call('Metadata', new WireWriter(), readMaxExpiration);
  }

  /** A signed token. @throws ExternalSignerError, EtcdError */
  async sign(claims: JWTClaims): Promise<string> {
    try {
      const token = await this.#sign(payloadOf(claims));
      this.#options.metrics.signed();
      return token;
    } catch (error) {
      this.#options.metrics.signed(error);
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#endpoint.close();
  }

  async #sign(payload: string): Promise<string> {
    const request = new WireWriter(payload.length + 16);
    request.textField(0x0a, payload);
    const { header, signature } = await this.#call('Sign', request, readSignature).catch((error: unknown) => {
      throw new ExternalSignerError(`while signing jwt: ${messageOf(error)}`, { cause: error });
    });
    await this.#checkHeader(header).catch((error: unknown) => {
      throw new ExternalSignerError(`while validating header: ${messageOf(error)}`, { cause: error });
    });
    if (signature === '') throw new ExternalSignerError('empty signature returned');
    return `${header}.${payload}.${signature}`;
  }

  async #checkHeader(text: string): Promise<void> {
    const header = headerOf(text);
    const { alg, kid = '', typ } = header;
    if (typ !== 'JWT') throw new ExternalSignerError('bad type');
    if (typeof kid !== 'string' || kid === '') throw new ExternalSignerError('key id missing');
    if (kid.length > maxKeyIDLength) throw new ExternalSignerError('key id longer than 1 kb');
    if (!algorithms.has(alg)) throw new ExternalSignerError(`bad signing algorithm ${JSON.stringify(alg ?? '')}`);
    if ((await this.of(kid)).some(({ excludedFromDiscovery }) => excludedFromDiscovery))
      throw new ExternalSignerError(`key used for signing JWT (kid: ${kid}) is excluded from OIDC discovery docs`);
  }

  async #fetch(): Promise<void> {
    const { clock, metrics } = this.#options;
    try {
      const { dataTimestampSeconds, keys, refreshHintSeconds } = await this.#call(
        'FetchKeys',
        new WireWriter(),
        readKeys,
      );
      if (refreshHintSeconds <= 0) throw new ExternalSignerError(`found invalid refresh hint (${refreshHintSeconds}s)`);
      if (keys.length === 0) throw new ExternalSignerError('found no keys');
      this.#keys = keys.map(externalKey);
      this.#refreshAtMs = clock.now() + refreshHintSeconds * 1000;
      metrics.fetched({ nowSeconds: clock.now() / 1000, dataTimestampSeconds });
      this.#again(refreshHintSeconds * 1000);
    } catch (error) {
      metrics.fetchFailed(error);
      this.#again(retryMs);
      throw error;
    }
  }

  #again(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#closed) return;
    this.#timer = this.#options.clock.setTimer(() => {
      this.fetchKeys().catch(this.#options.onError);
    }, delayMs);
  }

  async #call<T>(method: string, request: WireWriter, read: (answer: Buffer) => T): Promise<T> {
    const path = `${service}/${method}`;
    const { clock, metrics } = this.#options;
    const startedMs = clock.now();
    const done = (error?: unknown): void => metrics.called(path, { seconds: (clock.now() - startedMs) / 1000, error });
    try {
      const result = read(await this.#endpoint.unary(path, request.finishFrame(), { timeoutMs: callMs }));
      done();
      return result;
    } catch (error) {
      done(error);
      throw error;
    }
  }
}

function externalKey({
  der,
  excludedFromDiscovery,
  id,
}: {
  readonly id: string;
  readonly der: Buffer;
  readonly excludedFromDiscovery: boolean;
}): ExternalKey {
  if (id === '' || id.length > maxKeyIDLength)
    throw new ExternalSignerError(`found invalid public key id ${JSON.stringify(id)}`);
  if (der.length === 0) throw new ExternalSignerError('found empty public key');
  try {
    const { algorithms: supported, key } = verificationKey(createPublicKey({ key: der, format: 'der', type: 'spki' }));
    return { id, key, algorithms: supported, excludedFromDiscovery };
  } catch (error) {
    throw new ExternalSignerError(`while parsing external public keys: ${messageOf(error)}`, { cause: error });
  }
}

const headerFields: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);

function headerOf(text: string): Readonly<Record<string, unknown>> {
  let header: unknown;
  try {
    header = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch (error) {
    throw new ExternalSignerError(`while parsing header JSON: ${messageOf(error)}`, { cause: error });
  }
  if (!isPlainObject(header)) throw new ExternalSignerError('while parsing header JSON: it is no object');
  const unknown = Object.keys(header).find((name) => !headerFields.has(name));
  if (unknown !== undefined)
    throw new ExternalSignerError(`while parsing header JSON: json: unknown field ${JSON.stringify(unknown)}`);
  return header as Readonly<Record<string, unknown>>;
}
