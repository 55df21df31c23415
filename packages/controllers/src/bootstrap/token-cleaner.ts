import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { bootstrapTokens, expiresMs, isBootstrapToken } from './bootstrap-tokens.ts';

const WORKERS = 10;

/** Deletes bootstrap tokens when they have expired (pkg/controller/bootstrap/tokencleaner.go). */
export class TokenCleaner implements Controller {
  readonly #context: ControllerContext;
  readonly #secrets: SharedInformer<Secret>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({ clock: context.clock, metrics: context.queueMetrics, name: 'token_cleaner' });
    this.#secrets = context.informers.informer(resources.secrets, { fieldSelector: bootstrapTokens.fieldSelector });
    const changed = (secret: Secret): void => {
      if (isBootstrapToken(secret)) this.#queue.add(keyOf(secret));
    };
    this.#secrets.addHandlers({ onAdd: changed, onUpdate: changed });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#secrets.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, secret) =>
        this.#context.log.error('cannot delete an expired bootstrap token', error, { secret }),
    });
  }

  async #sync(key: string): Promise<void> {
    const secret = this.#secrets.get(key);
    const endMs = secret === undefined ? undefined : expiresMs(secret);
    if (secret === undefined || endMs === undefined) return;
    const leftMs = endMs - this.#context.clock.now();
    if (leftMs > 0) {
      this.#queue.addAfter(key, leftMs);
      return;
    }
    const { name = '', uid = '' } = secret.metadata ?? {};
    try {
      await this.#context.client
        .resource(resources.secrets)
        .delete({ namespace: bootstrapTokens.namespace, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
