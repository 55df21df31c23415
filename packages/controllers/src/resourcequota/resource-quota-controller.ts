import { equalJSON, isConflict, isNotFound, type JSONValue, type KubeObject } from '@kubechain/apimachinery';
import type { ResourceQuota } from '@kubechain/apimachinery/types/core/v1';
import {
  formatAmounts,
  objectCountEvaluator,
  objectCountName,
  parseAmounts,
  quotaEvaluators,
  type Amounts,
  type QuotaEvaluator,
} from '@kubechain/component-helpers';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import { inTurns } from '../clock/in-turns.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacesInTurns } from '../controller/namespaces-in-turns.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { quotaUsages } from './quota-usage.ts';

/** Of these the evaluator needs more than metadata. */
const WHOLE: readonly ResourceType<object>[] = [resources.pods, resources.services, resources.persistentvolumeclaims];
/** These have a name of their own in quotas beside `count/NAME`. */
const ALIASED: readonly ResourceType<object>[] = [
  resources.configmaps,
  resources.resourcequotas,
  resources.replicationcontrollers,
  resources.secrets,
];

/**
 * Quotas of a namespace that are counted at once, which may be one more than limit so many names: others that wait take
 * turns, and admission charges them meanwhile.
 */
const mostAtOnce = { quotas: 100, names: 10_000 };

interface Counted {
  readonly evaluator: QuotaEvaluator;
  readonly informer: SharedInformer;
}

/**
 * Counts what is used of each quota and writes it to its status (pkg/controller/resourcequota): when the quota changes,
 * when what it counts is deleted or uses less, and in full every sync period. What is created is charged by admission.
 * Quotas of a namespace are counted together, where the reference goes through its objects for each.
 */
export class ResourceQuotaController implements Controller {
  readonly #context: ControllerContext;
  readonly #quotas: SharedInformer<ResourceQuota>;
  readonly #evaluators: ReadonlyMap<string, QuotaEvaluator>;
  /** Resources that are followed, by `resource.group`. */
  readonly #counted = new Map<string, Counted>();
  /** Namespaces, whose quotas wait in `#due`. */
  readonly #queue: WorkQueue;
  /** By namespace: keys of quotas that are to be counted. */
  readonly #due = new Map<string, Set<string>>();
  /** `namespace/resource.group`: fewer of these are used than were. */
  readonly #replenished: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({
      clock: context.clock,
      metrics: context.queueMetrics,
      name: 'resourcequota_primary',
      sharing: { ownerOf: (namespace) => namespace },
    });
    this.#replenished = new WorkQueue({
      clock: context.clock,
      name: 'resourcequota_replenished',
      sharing: namespacesInTurns,
    });
    this.#evaluators = quotaEvaluators(context.clock);
    for (const type of WHOLE) this.#follow(type, context.informers.informer(type) as unknown as SharedInformer);
    this.#quotas = context.informers.informer(resources.resourcequotas);
    this.#quotas.addHandlers({
      onAdd: (quota) => this.#add(quota),
      onUpdate: (quota, previous) => {
        if (!same(quota.spec?.hard, previous.spec?.hard)) this.#add(quota);
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
        sync: (namespace) => this.#sync(namespace),
        onError: (error, namespace) => {
          // Somebody has charged a quota, or the informer does not show yet what was written: it is counted anew.
          if (!isConflict(error)) log.error('cannot count the usage of quotas', error, { namespace });
        },
      }),
      runWorkers({ queue: this.#replenished, workers: 1, signal, sync: (key) => this.#replenish(key) }),
    ]);
  }

  #addAll(): Promise<void> {
    return inTurns(this.#quotas.list(), (quota) => this.#add(quota));
  }

  #add(quota: ResourceQuota): void {
    const { namespace = '' } = quota.metadata ?? {};
    this.#dueIn(namespace).add(keyOf(quota));
    this.#queue.add(namespace);
  }

  /** Counts quotas of a namespace that wait for it. */
  async #sync(namespace: string): Promise<void> {
    // As they are before anything is counted: what is charged meanwhile makes the write a conflict.
    const taken = this.#take(namespace);
    const failed = (quota: ResourceQuota): unknown => this.#dueIn(namespace).add(keyOf(quota));
    const errors: unknown[] = [];
    try {
      await this.#followAll([...new Set(taken.flatMap(limitedBy))]);
      const all = [...this.#counted.values()];
      const known = all.filter(({ informer }) => informer.hasSynced);
      // It comes back when the rest is known, which may be never: until then it holds for what is.
      const quotas = taken.filter((quota) => isCounted(quota, known) || !isCounted(quota, all));
      const counted = known.map(({ evaluator, informer }) => ({ evaluator, objects: () => informer.list(namespace) }));
      for (const [i, usage] of (await quotaUsages(quotas, counted)).entries())
        await this.#write(quotas[i]!, usage).catch((error: unknown) => {
          errors.push(error);
          failed(quotas[i]!);
        });
    } catch (error) {
      taken.forEach(failed);
      throw error;
    }
    if (errors.length > 0) throw errors[0] as Error;
    if (this.#due.has(namespace)) this.#queue.add(namespace);
  }

  /** Some of the quotas of a namespace that wait. */
  #take(namespace: string): readonly ResourceQuota[] {
    const due = this.#dueIn(namespace);
    const quotas: ResourceQuota[] = [];
    let names = 0;
    for (const key of due) {
      if (quotas.length === mostAtOnce.quotas || names >= mostAtOnce.names) return quotas;
      due.delete(key);
      const quota = this.#quotas.get(key);
      if (quota === undefined) continue;
      quotas.push(quota);
      names += limitedBy(quota).length;
    }
    this.#due.delete(namespace);
    return quotas;
  }

  #dueIn(namespace: string): Set<string> {
    let due = this.#due.get(namespace);
    if (due === undefined) this.#due.set(namespace, (due = new Set()));
    return due;
  }

  async #write(quota: ResourceQuota, usage: Amounts): Promise<void> {
    const { hard = {} } = quota.spec ?? {};
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

  /** Begins to follow what quotas count and nobody has counted yet. */
  async #followAll(names: readonly string[]): Promise<void> {
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
    if (!informer.hasSynced) void this.#whenKnown(evaluator, informer);
  }

  /** Nobody waits for it: a kind of one namespace's may never be answered. */
  async #whenKnown(evaluator: QuotaEvaluator, informer: SharedInformer): Promise<void> {
    const { signal } = this.#context;
    await informer.waitForSync(signal);
    await inTurns(signal.aborted ? [] : this.#quotas.list(), (quota) => {
      if (counts(evaluator, quota)) this.#add(quota);
    });
  }

  /** Has the quotas of a namespace that count a resource counted anew. */
  async #replenish(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const evaluator = this.#counted.get(name)?.evaluator;
    if (evaluator === undefined) return;
    await inTurns(this.#quotas.list(namespace), (quota) => {
      if (evaluator.matchingResources(Object.keys(quota.status?.hard ?? {})).length > 0) this.#add(quota);
    });
  }
}

/** As the table of evaluators names resources. */
function nameOf({ resource, group }: ResourceType<unknown>): string {
  return `${resource}.${group}`;
}

function limitedBy({ spec }: ResourceQuota): readonly string[] {
  return Object.keys(spec?.hard ?? {});
}

function counts(evaluator: QuotaEvaluator, quota: ResourceQuota): boolean {
  return evaluator.matchingResources(limitedBy(quota)).length > 0;
}

function isCounted(quota: ResourceQuota, by: readonly Counted[]): boolean {
  return by.some(({ evaluator }) => counts(evaluator, quota));
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
