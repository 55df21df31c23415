import { messageOf, systemClock } from '@kubechain/apimachinery';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { GroupResource, TimerClock } from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import { EncryptionMetrics } from './encryption-metrics.ts';
import { identityTransformer } from './identity.ts';
import { KMSProviders } from './kms/kms-providers.ts';
import type { KMSProviderSet } from './kms/kms-providers.ts';
import { readEncryptionConfiguration } from './encryption-configuration.ts';
import { ResourceTransformers } from './resource-transformers.ts';
import type { KMSTransformerFactory } from './resource-transformers.ts';
import type { Untransformed, ValueTransformer } from './transformer.ts';

/** How the file is read and its providers are opened. */
export interface EncryptionFileOptions {
  /** The file will be read again: every resource gets a transformer that follows. Default false. */
  readonly reloads?: boolean;
  /** Of seeds and answers of KMS plugins. Default: the machine's. */
  readonly clock?: TimerClock;
  readonly metrics?: EncryptionMetrics;
  /** Feature gate KMSv1: its plugins are taken. Default false. */
  readonly allowsKMSv1?: boolean;
  /** Makes the transformers of KMS providers; for tests. */
  readonly kmsTransformer?: KMSTransformerFactory;
  /** How long plugins of a new configuration may take to become healthy, at least. Default 10,000. */
  readonly healthTimeoutMs?: number;
}

const healthPollMs = 100;

/**
 * The file of `--encryption-provider-config`. Transformers that it has handed out follow a reload, so that keys can be
 * rotated while the server runs.
 */
export class EncryptionFile {
  readonly #path: string;
  readonly #options: EncryptionFileOptions;
  readonly #metrics: EncryptionMetrics;
  readonly #providers: KMSProviders;
  readonly #handedOut = new Map<string, FollowingTransformer>();
  readonly #releases = new Set<NodeJS.Timeout>();
  #current: Loaded;

  private constructor(
    path: string,
    loaded: Loaded,
    options: {
      readonly file: EncryptionFileOptions;
      readonly metrics: EncryptionMetrics;
      readonly providers: KMSProviders;
    },
  ) {
    this.#path = path;
    this.#options = options.file;
    this.#metrics = options.metrics;
    this.#providers = options.providers;
    this.#current = loaded;
    this.#metrics.configured(loaded.hash);
  }

  /** Reads and checks the file. @throws EncryptionConfigurationError one line that names the file */
  static async load(path: string, options: EncryptionFileOptions = {}): Promise<EncryptionFile> {
    const { metrics = new EncryptionMetrics() } = options;
    const providers = new KMSProviders({
      clock: options.clock ?? systemClock,
      metrics,
      allowsV1: options.allowsKMSv1 ?? false,
    });
    const content = await readContent(path);
    const loaded = parse(path, content, { ...options, metrics, kms: providers.newSet() });
    await loaded.kms.prime();
    return new EncryptionFile(path, loaded, { file: options, metrics, providers });
  }

  get path(): string {
    return this.#path;
  }

  /**
   * The checks of /healthz and /readyz, which reject with TransformError: one of all KMS providers, where there are any
   * or, as the file is read again, may come; where one of them is v1 and the file is not, one of each.
   */
  get healthChecks(): readonly { readonly name: string; readonly check: () => Promise<void> }[] {
    const { kms } = this.#current;
    if (this.#options.reloads === true || (kms.size > 0 && !kms.hasV1))
      return [{ name: 'kms-providers', check: () => this.#current.kms.checkHealth() }];
    return Array.from({ length: kms.size }, (_, i) => ({
      name: `kms-provider-${i}`,
      check: () => kms.checkHealthOf(i),
    }));
  }

  /** All of them. @throws TransformError */
  checkHealth(): Promise<void> {
    return this.#current.kms.checkHealth();
  }

  /** Ends connections to KMS plugins. */
  close(): void {
    for (const timer of this.#releases) clearTimeout(timer);
    this.#providers.close();
  }

  /** The transformer of a resource; undefined while none is configured for it and the file will not be read again. */
  transformerFor(resource: GroupResource): ValueTransformer | undefined {
    const current = this.#current.transformers.transformerFor(resource);
    if (this.#options.reloads !== true) return current;
    const name = `${resource.resource}.${resource.group}`;
    let following = this.#handedOut.get(name);
    if (following === undefined) {
      following = new FollowingTransformer(resource, current ?? identityTransformer);
      this.#handedOut.set(name, following);
    }
    return following;
  }

  /**
   * Reads the file again if its content has changed; resolves to whether it had. Plugins of the new configuration
   * must be well before it counts; those that it has no more are closed when requests under way have had their time.
   *
   * @throws EncryptionConfigurationError and keeps the configuration before
   */
  async reload(): Promise<boolean> {
    const content = await readContent(this.#path);
    if (content.hash === this.#current.hash) return false;
    const loaded = parse(this.#path, content, {
      ...this.#options,
      metrics: this.#metrics,
      kms: this.#providers.newSet(),
    });
    try {
      await this.#awaitHealth(loaded.kms);
    } catch (error) {
      loaded.kms.release();
      throw error;
    }
    const before = this.#current;
    this.#current = loaded;
    for (const following of this.#handedOut.values())
      following.current = loaded.transformers.transformerFor(following.resource) ?? identityTransformer;
    const timer = setTimeout(() => {
      this.#releases.delete(timer);
      before.kms.release();
    }, before.kms.gracePeriodMs).unref();
    this.#releases.add(timer);
    this.#metrics.configured(loaded.hash);
    return true;
  }

  async #awaitHealth(kms: KMSProviderSet): Promise<void> {
    const deadlineMs = performance.now() + Math.max(this.#options.healthTimeoutMs ?? 10_000, kms.gracePeriodMs);
    for (;;) {
      try {
        await kms.checkHealth();
        return;
      } catch (cause) {
        if (performance.now() >= deadlineMs)
          throw new EncryptionConfigurationError(
            'health check for new transformers failed, polling error timed out waiting for the condition: ' +
              `${messageOf(cause)}`,
            { cause },
          );
      }
      await delay(healthPollMs, undefined, { ref: false });
    }
  }
}

/** Passes on to the latest configuration's transformer. */
class FollowingTransformer implements ValueTransformer {
  readonly resource: GroupResource;
  current: ValueTransformer;

  constructor(resource: GroupResource, current: ValueTransformer) {
    this.resource = resource;
    this.current = current;
  }

  fromStorage(value: Uint8Array, key: string): Untransformed | Promise<Untransformed> {
    return this.current.fromStorage(value, key);
  }

  toStorage(value: Uint8Array, key: string): Uint8Array | Promise<Uint8Array> {
    return this.current.toStorage(value, key);
  }
}

interface Content {
  readonly text: string;
  readonly hash: string;
}

interface Loaded {
  readonly transformers: ResourceTransformers;
  readonly hash: string;
  readonly kms: KMSProviderSet;
}

async function readContent(path: string): Promise<Content> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new EncryptionConfigurationError(
      `error reading encryption provider configuration file ${JSON.stringify(path)}: ${messageOf(cause)}`,
      { cause },
    );
  }
  if (text === '')
    throw new EncryptionConfigurationError(`encryption provider configuration file ${JSON.stringify(path)} is empty`);
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}

interface ParseOptions {
  readonly kmsTransformer?: KMSTransformerFactory;
  readonly metrics: EncryptionMetrics;
  readonly kms: KMSProviderSet;
  readonly reloads?: boolean;
}

function parse(path: string, { hash, text }: Content, { kms, kmsTransformer, metrics, reloads }: ParseOptions): Loaded {
  try {
    const { duplicates, value } = yamlValue(text);
    if (duplicates !== undefined) throw new TypeError(`strict decoding error: ${duplicates}`);
    const configuration = readEncryptionConfiguration(value, reloads === undefined ? {} : { reloads });
    return {
      hash,
      kms,
      transformers: new ResourceTransformers(configuration, {
        kmsTransformer: kmsTransformer ?? kms.transformerFor,
        metrics,
      }),
    };
  } catch (cause) {
    kms.release();
    throw new EncryptionConfigurationError(
      `error while parsing encryption provider configuration file ${JSON.stringify(path)}: ` +
        messageOf(cause).replaceAll(/\n\s*/g, ' '),
      { cause },
    );
  }
}
