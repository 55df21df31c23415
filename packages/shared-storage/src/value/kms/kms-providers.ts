import { messageOf } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import { TransformError } from '../transform-error.ts';
import type { EncryptionMetrics } from '../encryption-metrics.ts';
import { EncryptionConfigurationError } from '../encryption-configuration-error.ts';
import type { KMSProvider } from '../encryption-configuration.ts';
import type { KMSTransformerFactory } from '../resource-transformers.ts';
import type { ValueTransformer } from '../transformer.ts';
import { KMSService } from './kms-service.ts';
import { KMSTransformer } from './kms-transformer.ts';
import { KMSV1Service } from './kms-v1-service.ts';
import { KMSV1Transformer } from './kms-v1-transformer.ts';

const v1Refusal =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set ' +
  '--feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';

/** A transformer that a plugin stands behind. */
type PluginTransformer = ValueTransformer & { checkHealth(): Promise<void>; close(): void };

interface Provider {
  readonly transformer: PluginTransformer;
  users: number;
}

export interface KMSProvidersOptions {
  readonly clock: TimerClock;
  readonly metrics: EncryptionMetrics;
  /** Feature gate KMSv1. */
  readonly allowsV1: boolean;
}

/** The KMS providers of a process: one that a reload configures again goes on with its keys. */
export class KMSProviders {
  readonly #clock: TimerClock;
  readonly #metrics: EncryptionMetrics;
  readonly #allowsV1: boolean;
  readonly #providers = new Map<string, Provider>();

  constructor({ allowsV1, clock, metrics }: KMSProvidersOptions) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#allowsV1 = allowsV1;
  }

  /** For the providers of one configuration. */
  newSet(): KMSProviderSet {
    return new KMSProviderSet(this);
  }

  /** @internal @throws EncryptionConfigurationError for v1, where that is not allowed */
  use(id: string, configuration: KMSProvider): PluginTransformer {
    let provider = this.#providers.get(id);
    if (provider === undefined)
      this.#providers.set(id, (provider = { transformer: this.#open(configuration), users: 0 }));
    provider.users++;
    return provider.transformer;
  }

  #open({ cacheSize, endpoint, name, timeoutMs, version }: KMSProvider): PluginTransformer {
    const options = { clock: this.#clock, metrics: this.#metrics };
    switch (version) {
      case 'v1':
        if (!this.#allowsV1) throw new EncryptionConfigurationError(v1Refusal);
        return new KMSV1Transformer(name, new KMSV1Service({ endpoint, timeoutMs }), { ...options, cacheSize });
      case 'v2':
        return new KMSTransformer(
          name,
          new KMSService({ provider: name, endpoint, timeoutMs, metrics: this.#metrics }),
          options,
        );
      default:
        return version satisfies never;
    }
  }

  /** @internal */
  release(id: string): void {
    const provider = this.#providers.get(id);
    if (provider === undefined || --provider.users > 0) return;
    this.#providers.delete(id);
    provider.transformer.close();
  }

  close(): void {
    for (const { transformer } of this.#providers.values()) transformer.close();
    this.#providers.clear();
  }
}

/** The KMS providers of one configuration, in its order. */
export class KMSProviderSet {
  readonly #providers: KMSProviders;
  readonly #used = new Map<string, PluginTransformer>();
  #timeoutSumMs = 0;
  #hasV1 = false;

  constructor(providers: KMSProviders) {
    this.#providers = providers;
  }

  get size(): number {
    return this.#used.size;
  }
  /** Whether one of them is v1: each has a health check of its own then. */
  get hasV1(): boolean {
    return this.#hasV1;
  }
  /** Calls of the plugins are over after this time. */
  get gracePeriodMs(): number {
    return 2 * this.#timeoutSumMs;
  }

  readonly transformerFor: KMSTransformerFactory = (provider) => {
    const { cacheSize, endpoint, name, timeoutMs, version } = provider;
    const id = `${version} ${name} ${endpoint} ${timeoutMs} ${cacheSize}`;
    let transformer = this.#used.get(id);
    if (transformer === undefined) {
      transformer = this.#providers.use(id, provider);
      this.#used.set(id, transformer);
      // Health of v1 takes two calls.
      this.#timeoutSumMs += version === 'v1' ? 2 * timeoutMs : timeoutMs;
      this.#hasV1 ||= version === 'v1';
    }
    return transformer;
  };

  /**
   * Asks every plugin once, so that the first requests need not. Does not reject: a plugin that is not there yet is
   * asked again in the background, and its health check says so.
   */
  async prime(): Promise<void> {
    await Promise.all([...this.#used.values()].map((transformer) => transformer.checkHealth().catch(() => undefined)));
  }

  /**
   * One after the other, each under the name that it has in the reference. @throws TransformError that tells of all
   * that are not well
   */
  async checkHealth(): Promise<void> {
    const failures: string[] = [];
    let cause: unknown;
    for (const [i, transformer] of [...this.#used.values()].entries()) {
      try {
        await transformer.checkHealth();
      } catch (error) {
        cause ??= error;
        failures.push(`kms-provider-${i}: ${messageOf(error)}`);
      }
    }
    if (failures.length > 0)
      throw new TransformError(failures.length === 1 ? (failures[0] ?? '') : `[${failures.join(', ')}]`, { cause });
  }

  /** The check of one provider, by its place. @throws TransformError */
  async checkHealthOf(place: number): Promise<void> {
    await [...this.#used.values()][place]?.checkHealth();
  }

  /** Nobody uses this configuration any more. */
  release(): void {
    for (const id of this.#used.keys()) this.#providers.release(id);
    this.#used.clear();
  }
}
