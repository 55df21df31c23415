import { messageOf } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import { TransformError } from '../transform-error.ts';
import type { EncryptionMetrics } from '../encryption-metrics.ts';
import type { KMSTransformerFactory } from '../resource-transformers.ts';
import { KMSService } from './kms-service.ts';
import { KMSTransformer } from './kms-transformer.ts';

interface Provider {
  readonly transformer: KMSTransformer;
  users: number;
}

/** The KMS providers of a process: one that a reload configures again goes on with its keys. */
export class KMSProviders {
  readonly #clock: TimerClock;
  readonly #metrics: EncryptionMetrics;
  readonly #providers = new Map<string, Provider>();

  constructor({ clock, metrics }: { readonly clock: TimerClock; readonly metrics: EncryptionMetrics }) {
    this.#clock = clock;
    this.#metrics = metrics;
  }

  /** For the providers of one configuration. */
  newSet(): KMSProviderSet {
    return new KMSProviderSet(this);
  }

  /** @internal */
  use(id: string, { endpoint, name, timeoutMs }: Parameters<KMSTransformerFactory>[0]): KMSTransformer {
    let provider = this.#providers.get(id);
    if (provider === undefined) {
      const metrics = this.#metrics;
      provider = {
        transformer: new KMSTransformer(name, new KMSService({ provider: name, endpoint, timeoutMs, metrics }), {
          clock: this.#clock,
          metrics,
        }),
        users: 0,
      };
      this.#providers.set(id, provider);
    }
    provider.users++;
    return provider.transformer;
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
  readonly #used = new Map<string, KMSTransformer>();
  #timeoutSumMs = 0;

  constructor(providers: KMSProviders) {
    this.#providers = providers;
  }

  get size(): number {
    return this.#used.size;
  }
  /** Calls of the plugins are over after this time. */
  get gracePeriodMs(): number {
    return 2 * this.#timeoutSumMs;
  }

  readonly transformerFor: KMSTransformerFactory = (provider) => {
    const id = `${provider.name} ${provider.endpoint} ${provider.timeoutMs}`;
    let transformer = this.#used.get(id);
    if (transformer === undefined) {
      transformer = this.#providers.use(id, provider);
      this.#used.set(id, transformer);
      this.#timeoutSumMs += provider.timeoutMs;
    }
    return transformer;
  };

  /**
   * Asks every plugin once, so that the first requests need not; one that is not there yet is asked again in the
   * background.
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

  /** Nobody uses this configuration any more. */
  release(): void {
    for (const id of this.#used.keys()) this.#providers.release(id);
    this.#used.clear();
  }
}
