import type { KMSTransformerFactory } from '../resource-transformers.ts';
import { KMSService } from './kms-service.ts';
import { KMSTransformer } from './kms-transformer.ts';

/** The KMS providers of a process; a provider that is configured in several places, or again by a reload, is one. */
export class KMSProviders {
  readonly #transformers = new Map<string, KMSTransformer>();

  readonly transformerFor: KMSTransformerFactory = ({ name, endpoint, timeoutMs }) => {
    const id = `${name} ${endpoint} ${timeoutMs}`;
    let transformer = this.#transformers.get(id);
    if (transformer === undefined) {
      transformer = new KMSTransformer(name, new KMSService(endpoint, timeoutMs));
      this.#transformers.set(id, transformer);
    }
    return transformer;
  };

  /** The check `kms-providers` of /healthz and /readyz. @throws TransformError */
  async checkHealth(): Promise<void> {
    for (const transformer of this.#transformers.values()) await transformer.checkHealth();
  }

  close(): void {
    for (const transformer of this.#transformers.values()) transformer.close();
  }
}
