import { equalJSON, isNotFound, selectorFromObject, type JSONValue } from '@kubechain/apimachinery';
import type { ClusterRole, PolicyRule } from '@kubechain/apimachinery/types/rbac/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

/** How many roles are worked on at a time, as in the reference. */
const WORKERS = 5;

/**
 * Gives cluster roles with an aggregationRule the rules of the roles that it selects
 * (pkg/controller/clusterroleaggregation).
 */
export class ClusterRoleAggregation implements Controller {
  readonly #context: ControllerContext;
  readonly #roles: SharedInformer<ClusterRole>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({ clock: context.clock, metrics: context.queueMetrics, name: 'ClusterRoleAggregator' });
    this.#roles = context.informers.informer(resources.clusterroles);
    // Any role may be part of any aggregate.
    const changed = (): void => {
      for (const { metadata, aggregationRule } of this.#roles.list())
        if (aggregationRule !== undefined) this.#queue.add(metadata?.name ?? '');
    };
    this.#roles.addHandlers({ onAdd: changed, onUpdate: changed, onDelete: changed });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#roles.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      signal,
      sync: (name) => this.#sync(name),
      onError: (error, role) => this.#context.log.error('cannot aggregate a cluster role', error, { role }),
    });
  }

  async #sync(name: string): Promise<void> {
    const role = this.#roles.get(name);
    if (role?.aggregationRule === undefined) return;
    /** By their text: roles of thousands of rules are not compared with each other. */
    const found = new Map<string, PolicyRule>();
    for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
      const wanted = selectorFromObject(selector);
      const selected = this.#roles
        .list()
        .filter(({ metadata }) => metadata?.name !== name && wanted.matches(metadata?.labels))
        .sort((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
      for (const other of selected)
        for (const rule of other.rules ?? []) {
          const text = textOf(rule);
          if (!found.has(text)) found.set(text, rule);
        }
    }
    const rules = [...found.values()];
    if (same(role.rules ?? [], rules)) return;
    // Only the rules are this controller's: by server-side apply.
    try {
      await this.#context.client
        .resource(resources.clusterroles)
        .apply({ metadata: { name }, rules }, { fieldManager: 'clusterrole-aggregation-controller', force: true });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** The same for rules that say the same. */
function textOf({ apiGroups, nonResourceURLs, resourceNames, resources: names, verbs }: PolicyRule): string {
  return JSON.stringify([apiGroups, names, verbs, resourceNames, nonResourceURLs]);
}

function same(a: unknown, b: unknown): boolean {
  return equalJSON(a as JSONValue, b as JSONValue);
}
