import { sleep, formatTime, isConflict } from '@kubechain/apimachinery';
import type { Node, Taint } from '@kubechain/apimachinery/types/core/v1';
import type { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';
import type { TimerClock } from '@kubechain/apimachinery';
import { hasTaint } from './node-taints.ts';

type Key = Pick<Taint, 'key' | 'effect'>;

const tries = 5;
const firstRetryMs = 100;

/** Puts taints on nodes and takes them off, against others who do the same. */
export class TaintWriter {
  readonly #client: Client;
  readonly #clock: TimerClock;

  constructor(client: Client, clock: TimerClock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** First adds, with the time, then removes: in between, both are there (SwapNodeControllerTaint, 1.36). */
  async swap(
    node: Node,
    { add, remove }: { readonly add: readonly Key[]; readonly remove: readonly Key[] },
  ): Promise<void> {
    if (add.length > 0) {
      const timeAdded = formatTime(this.#clock.now());
      await this.#change(node, (taints) => [
        ...taints.filter((taint) => !hasTaint(add, taint)),
        ...add.map((taint) => ({ ...taint, timeAdded })),
      ]);
    }
    await this.remove(node, remove);
  }

  async remove(node: Node, taints: readonly Key[]): Promise<void> {
    if (!taints.some((taint) => hasTaint(node.spec?.taints, taint))) return;
    await this.#change(node, (known) => known.filter((taint) => !hasTaint(taints, taint)));
  }

  async #change({ metadata }: Node, change: (taints: readonly Taint[]) => readonly Taint[]): Promise<void> {
    const name = metadata?.name ?? '';
    const nodes = this.#client.resource(resources.nodes);
    for (let attempt = 1; ; attempt++) {
      const fresh = await nodes.get({ name });
      const before = fresh.spec?.taints ?? [];
      const after = change(before);
      if (after.length === before.length && after.every((taint, i) => taint === before[i])) return;
      const resourceVersion = fresh.metadata?.resourceVersion;
      try {
        await nodes.patch(
          { name },
          { metadata: { resourceVersion }, spec: { taints: after.length === 0 ? null : after } },
        );
        return;
      } catch (error) {
        if (!isConflict(error) || attempt === tries) throw error;
        await sleep(this.#clock, firstRetryMs * attempt);
      }
    }
  }
}
