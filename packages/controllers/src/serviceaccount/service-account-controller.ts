import { isAlreadyExists } from '@kubechain/apimachinery';
import type { Namespace, ServiceAccount } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

/** Every active namespace has a service account of this name. */
const NAME = 'default';

/** Keeps a service account `default` in every active namespace (pkg/controller/serviceaccount). */
export class ServiceAccountController implements Controller {
  readonly #context: ControllerContext;
  readonly #accounts: SharedInformer<ServiceAccount>;
  readonly #namespaces: SharedInformer<Namespace>;
  /** Names of namespaces. */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({ clock: context.clock, metrics: context.queueMetrics, name: 'serviceaccount' });
    this.#accounts = context.informers.informer(resources.serviceaccounts);
    this.#namespaces = context.informers.informer(resources.namespaces);
    this.#accounts.addHandlers({ onDelete: ({ metadata }) => this.#queue.add(metadata?.namespace ?? '') });
    const add = ({ metadata }: Namespace): void => this.#queue.add(metadata?.name ?? '');
    this.#namespaces.addHandlers({ onAdd: add, onUpdate: add });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#accounts.waitForSync(signal), this.#namespaces.waitForSync(signal)]);
    await runWorkers({
      queue: this.#queue,
      workers: 1,
      signal,
      sync: (namespace) => this.#sync(namespace),
      onError: (error, namespace) => this.#context.log.error('cannot make a service account', error, { namespace }),
    });
  }

  async #sync(namespace: string): Promise<void> {
    if (this.#namespaces.get(namespace)?.status?.phase !== 'Active') return;
    if (this.#accounts.get(`${namespace}/${NAME}`) !== undefined) return;
    try {
      await this.#context.client.resource(resources.serviceaccounts).create({ metadata: { namespace, name: NAME } });
    } catch (error) {
      if (!isAlreadyExists(error) && !hasCause(error, NAMESPACE_TERMINATING)) throw error;
    }
  }
}
