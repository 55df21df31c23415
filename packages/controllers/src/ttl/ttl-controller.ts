import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { isNotFound } from '@kubechain/apimachinery';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { SizeSteps } from './size-steps.ts';

const annotation = 'node.alpha.kubernetes.io/ttl';

/** Tells kubelets how long they may keep ConfigMaps and Secrets, by an annotation of their nodes (pkg/controller/ttl). */
export class TTLController implements Controller {
  readonly #context: ControllerContext;
  readonly #nodes: SharedInformer<Node>;
  readonly #steps = new SizeSteps();
  /** Names of nodes. */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({ clock: context.clock, metrics: context.queueMetrics, name: 'ttlcontroller' });
    this.#nodes = context.informers.informer(resources.nodes);
    const check = (node: Node): void => {
      if (node.metadata?.annotations?.[annotation] !== String(this.#steps.seconds))
        this.#queue.add(node.metadata?.name ?? '');
    };
    this.#nodes.addHandlers({
      onAdd: (node) => {
        this.#steps.resize(1);
        check(node);
      },
      onUpdate: check,
      onDelete: () => this.#steps.resize(-1),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#nodes.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: 5,
      signal,
      sync: (name) => this.#sync(name),
      onError: (error, node) => this.#context.log.error('cannot annotate a node', error, { node }),
    });
  }

  async #sync(name: string): Promise<void> {
    const node = this.#nodes.get(name);
    const wanted = String(this.#steps.seconds);
    if (node === undefined || node.metadata?.annotations?.[annotation] === wanted) return;
    try {
      await this.#context.client
        .resource(resources.nodes)
        .patch({ name }, { metadata: { annotations: { [annotation]: wanted } } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
