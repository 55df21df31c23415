import { equalJSON, isNotFound, type JSONValue, type KubeObject } from '@kubechain/apimachinery';
import type { ResourceQuota } from '@kubechain/apimachinery/types/core/v1';
import {
  formatAmounts,
  objectCountEvaluator,
  objectCountName,
  parseAmounts,
  quotaEvaluators,
  type QuotaEvaluator,
} from '@kubechain/component-helpers';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import { inTurns } from '../clock/in-turns.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue, namespacesInTurns } from '../controller/namespaces-in-turns.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { quotaUsage } from './quota-usage.ts';

/** Of these the evaluator needs more than metadata. */
const WHOLE: readonly ResourceType<object>[] = [resources.pods, resources.services, resources.persistentvolumeclaims];
/** These have a name of their own in quotas beside `count/NAME`. */
const ALIASED: readonly ResourceType<object>[] = [
  resources.configmaps,
  resources.resourcequotas,
  resources.replicationcontrollers,
  resources.secrets,
];

interface Counted {
  readonly evaluator: QuotaEvaluator;
  readonly informer: SharedInformer;
}

/**
 * Counts what is used of each quota and writes it to its status (pkg/controller/resourcequota): when the quota changes,
 * when what it counts is deleted or uses less, and in full every sync period. What is created is charged by admission.
 */
export class ResourceQuotaController implements Controller {
  readonly #context: ControllerContext;
  readonly #quotas: SharedInformer<ResourceQuota>;
  readonly #evaluators: ReadonlyMap<string, QuotaEvaluator>;
  /** Resources that are followed, by `resource.group`. */
  readonly #counted = new Map<string, Counted>();
  readonly #queue: WorkQueue;
  /** `namespace/resource.group`: fewer of these are used than were. */
  readonly #replenished: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = namespacedQueue(context, 'resourcequota_primary');
    this.#replenished = new WorkQueue({
      clock: context.clock,
      name: 'resourcequota_replenished',
      sharing: namespacesInTurns,
    });
    this.#evaluators = quotaEvaluators(context.clock);
    for (const type of WHOLE) this.#follow(type, context.informers.informer(type) as unknown as SharedInformer);
    this.#quotas = context.informers.informer(resources.resourcequotas);
    const add = (quota: ResourceQuota): void => this.#queue.add(keyOf(quota));
    this.#quotas.addHandlers({
      onAdd: add,
      onUpdate: (quota, previous) => {
        if (!same(quota.spec?.hard, previous.spec?.hard)) add(quota);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, flags, log } = this.#context;
    await Promise.all(
      [this.#quotas, ...WHOLE.map((type) => this.#counted.get(nameOf(type))!.informer)].map((each) =>
        each.waitForSync(signal),
      ),
    );
    await Promise.all([
      every(flags.lifecycle['resource-quota-sync-period'], () => this.#addAll(), { clock, signal }),
      runWorkers({
        queue: this.#queue,
        workers: flags.concurrency['concurrent-resource-quota-syncs'],
        signal,
        sync: (key) => this.#sync(key, signal),
        onError: (error, quota) => log.error('cannot count the usage of a quota', error, { quota }),
      }),
      runWorkers({ queue: this.#replenished, workers: 1, signal, sync: (key) => this.#replenish(key) }),
    ]);
  }

  #addAll(): void {
    for (const quota of this.#quotas.list()) this.#queue.add(keyOf(quota));
  }

  async #sync(key: string, signal: AbortSignal): Promise<void> {
    const quota = this.#quotas.get(key);
    if (quota === undefined) return;
    const { hard = {} } = quota.spec ?? {};
    await this.#followAll(Object.keys(hard), signal);
    const { namespace } = splitKey(key);
    const usage = await quotaUsage(
      quota,
      [...this.#counted.values()].map(({ evaluator, informer }) => ({ evaluator, objects: informer.list(namespace) })),
    );
    const { hard: statusHard, used: before = {} } = quota.status ?? {};
    const used = Object.fromEntries(
      Object.entries({ ...before, ...formatAmounts(usage) }).filter(([name]) => name in hard),
    );
    const current = quota.status?.used !== undefined && same(hard, statusHard) && sameAmounts(used, before);
    if (current) return;
    try {
      await this.#context.client.resource(resources.resourcequotas).updateStatus({ ...quota, status: { hard, used } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Begins to follow what a quota counts and nobody has counted yet. */
  async #followAll(names: readonly string[], signal: AbortSignal): Promise<void> {
    const { discovery, informers } = this.#context;
    const uncounted = (name: string): boolean =>
      ![...this.#counted.values()].some(({ evaluator }) => evaluator.matchingResources([name]).length > 0);
    const claims = this.#evaluators.get(nameOf(resources.resourceclaims));
    // Whole, but only where somebody has quotas of devices.
    if ((claims?.matchingResources(names.filter(uncounted)) ?? []).length > 0)
      this.#follow(resources.resourceclaims, informers.informer(resources.resourceclaims) as unknown as SharedInformer);
    const missing = names.filter(uncounted);
    const counts = missing.filter((name) => name.startsWith('count/'));
    const types: ResourceType<unknown>[] = ALIASED.filter(({ resource }) => missing.includes(resource));
    if (counts.length > 0) {
      const { resources: served } = await discovery.preferredResources();
      types.push(
        ...served.filter(
          (type) =>
            type.namespaced &&
            counts.includes(objectCountName(type)) &&
            ['list', 'watch'].every((verb) => type.verbs.includes(verb)),
        ),
      );
    }
    for (const type of types)
      if (!this.#counted.has(nameOf(type)))
        this.#follow(type, informers.anyInformer(type) as unknown as SharedInformer);
    await Promise.all([...this.#counted.values()].map(({ informer }) => informer.waitForSync(signal)));
  }

  #follow(type: ResourceType<unknown>, informer: SharedInformer): void {
    const evaluator = this.#evaluators.get(nameOf(type)) ?? objectCountEvaluator(type);
    this.#counted.set(nameOf(type), { evaluator, informer });
    const lessUsed = ({ metadata }: KubeObject): void =>
      this.#replenished.add(`${metadata?.namespace ?? ''}/${nameOf(type)}`);
    informer.addHandlers({
      onUpdate: (object, previous) => {
        if (!same(usageOf(evaluator, object), usageOf(evaluator, previous))) lessUsed(object);
      },
      onDelete: lessUsed,
    });
  }

  /** Has the quotas of a namespace that count a resource counted anew. */
  async #replenish(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const evaluator = this.#counted.get(name)?.evaluator;
    if (evaluator === undefined) return;
    await inTurns(this.#quotas.list(namespace), (quota) => {
      if (evaluator.matchingResources(Object.keys(quota.status?.hard ?? {})).length > 0) this.#queue.add(keyOf(quota));
    });
  }
}

/** As the table of evaluators names resources. */
function nameOf({ resource, group }: ResourceType<unknown>): string {
  return `${resource}.${group}`;
}

function usageOf(evaluator: QuotaEvaluator, object: KubeObject): Record<string, string> {
  return formatAmounts(evaluator.usage(object));
}

function same(a: unknown, b: unknown): boolean {
  return equalJSON((a ?? {}) as JSONValue, (b ?? {}) as JSONValue);
}

/** Whether two lists mean the same, in whatever notation. */
function sameAmounts(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const [first, second] = [parseAmounts(a), parseAmounts(b)];
  return (
    first.size === second.size && [...first].every(([name, quantity]) => second.get(name)?.compare(quantity) === 0)
  );
}
