import { isConflict, isNotFound, parseTime } from '@kubechain/apimachinery';
import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { runWorkers } from '../work-queue/run-workers.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';

const NAMESPACE = 'kube-system';
const TYPE = 'bootstrap.kubernetes.io/token';
const EXPIRATION = 'expiration';
const WORKERS = 10;

/** Deletes bootstrap tokens when they have expired (pkg/controller/bootstrap/tokencleaner.go). */
export class TokenCleaner implements Controller {
  readonly #context: ControllerContext;
  readonly #secrets: SharedInformer<Secret>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({ clock: context.clock });
    this.#secrets = context.informers.informer(resources.secrets);
    const changed = (secret: Secret): void => {
      if (secret.type === TYPE && secret.metadata?.namespace === NAMESPACE) this.#queue.add(keyOf(secret));
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
    const text = Buffer.from(secret?.data?.[EXPIRATION] ?? '', 'base64').toString('utf8');
    if (secret === undefined || text === '') return;
    const leftMs = expiresMs(text) - this.#context.clock.now();
    if (leftMs > 0) {
      this.#queue.addAfter(key, leftMs);
      return;
    }
    const { name = '', uid = '' } = secret.metadata ?? {};
    try {
      await this.#context.client
        .resource(resources.secrets)
        .delete({ namespace: NAMESPACE, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

/** What cannot be read has expired. */
function expiresMs(text: string): number {
  try {
    return parseTime(text);
  } catch {
    return 0;
  }
}
