import { isNotFound } from '@kubechain/apimachinery';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { WantedVolumes } from '../attachdetach/wanted-volumes.ts';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

/**
 * Tells of played nodes which volumes they have mounted, as kubelets do: those of their pods that are attached. What is
 * in use is not taken away from them.
 */
export class VolumesInUse implements Controller {
  readonly #context: ControllerContext;
  readonly #nodes: SharedInformer<Node>;
  readonly #plays: (node: Node) => boolean;
  readonly #wanted: WantedVolumes;
  /** Names of nodes. */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext, plays: (node: Node) => boolean) {
    this.#context = context;
    this.#plays = plays;
    this.#queue = new WorkQueue({ clock: context.clock, metrics: context.queueMetrics, name: 'volumes_in_use' });
    this.#nodes = context.informers.informer(resources.nodes);
    this.#wanted = new WantedVolumes(context.informers, (_, node) => this.#queue.add(node));
    this.#nodes.addHandlers({ onAdd: ({ metadata }) => this.#queue.add(metadata?.name ?? '') });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#wanted.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: 4,
      signal,
      sync: (name) => this.#sync(name),
      onError: (error, node) => this.#context.log.error('cannot tell which volumes a node uses', error, { node }),
    });
  }

  async #sync(name: string): Promise<void> {
    const node = this.#nodes.get(name);
    if (node === undefined || !this.#plays(node)) return;
    const volumesInUse = this.#wanted.namesOn(name);
    if (volumesInUse.join() === (node.status?.volumesInUse ?? []).join()) return;
    try {
      await this.#context.client
        .resource(resources.nodes)
        .patch(
          { name },
          { status: { volumesInUse: volumesInUse.length === 0 ? null : volumesInUse } },
          { subresource: 'status' },
        );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
