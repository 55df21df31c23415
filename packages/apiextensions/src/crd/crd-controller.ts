import { formatTime, messageOf } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { ObjectInformer, Turns } from '@kubechain/apiserver/resources';
import type { APIInstaller, Store } from '@kubechain/apiserver/resources';
import { recordedUID } from '@kubechain/shared-storage';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { counted, type QueueMetrics, type WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import { ServedCustomResources } from '../custom-resources/served-custom-resources.ts';
import type { CustomResourceOptions } from '../custom-resources/custom-resource.ts';
import { PartsInUse } from '../custom-resources/parts-in-use.ts';
import type { PartsInUseOptions } from '../custom-resources/parts-in-use.ts';
import { approvalCondition } from './approval-condition.ts';
import { CRDFinalizer } from './crd-finalizer.ts';
import type { CRDFinalizerOptions } from './crd-finalizer.ts';
import type { CRDListener } from './crd-rest.ts';
import { CRDStatus } from './crd-status.ts';
import type { CRDChange } from './crd-status.ts';
import { CRDStructure } from './crd-structure.ts';
import { conditionOf } from '../definition/crd-types.ts';
import type { CRDCondition, CRDNames, CustomResourceDefinition } from '../definition/crd-types.ts';
import { establishedCondition } from '../validation/establishing.ts';
import { hasItsNames, resolveNames, sameCondition, takenNames } from '../definition/naming.ts';
import type { TakenNames } from '../definition/naming.ts';
import { KnownCRDs } from '../definition/known-crds.ts';
import { Retries } from './retries.ts';
import { SeenRevisions } from './seen-revisions.ts';
import { withCondition, withoutCondition } from './set-condition.ts';
import { approvedAnnotation } from '../validation/names.ts';

const log = new Logger('crd');

/**
 * What is made of a schema (60 fields) takes 50 KB once an object has been written and 1 ms to make again: it stays
 * for as many CRDs as controllers usually work with, and of more for those whose objects are used every few seconds.
 */
const schemasKept: Omit<PartsInUseOptions, 'clock'> = { kept: 100, periodMs: 5_000 };

export interface CRDControllerOptions {
  readonly installer: APIInstaller;
  readonly customResources: Omit<CustomResourceOptions, 'schemasInUse'>;
  readonly clock: TimerClock;
  /** Resolves when discovery knows a CRD's group versions, or nobody is there to tell it. Default: at once. */
  readonly registered?: (crd: CustomResourceDefinition, signal: AbortSignal) => Promise<void>;
  /** How patient deleting the objects of a CRD is. Default: as the reference. */
  readonly deletion?: Pick<CRDFinalizerOptions, 'limitMs' | 'longestPauseMs'>;
  /** Where the steps are counted, as the queues of the reference's controllers. Default: nowhere. */
  readonly queueMetrics?: WorkQueueMetrics | undefined;
}

/** A step of a CRD's life: what the reference has a controller with a queue for. */
interface CRDStep {
  readonly queue: QueueMetrics<string> | undefined;
  readonly run: (name: string) => Promise<void>;
}

/**
 * The life of CRDs: names, conditions, serving and clean-up. Follows storage, so that every process over one etcd
 * serves the same; a write through this process is served before its client is answered. Each step is a write of its
 * own, as the reference has a controller for each:
 *
 *     created ─► names accepted (Installing) ─► served ─► Established ─► approval, structure ─► … ─► Terminating ─►
 *     gone
 */
export class CRDController implements CRDListener {
  readonly #options: CRDControllerOptions;
  readonly #served: ServedCustomResources;
  readonly #crds = new KnownCRDs();
  readonly #schemasInUse: PartsInUse;
  /** Names that are being written for a CRD: nobody else gets them meanwhile. */
  readonly #claims = new Map<string, CRDNames>();
  /** What is under way for a CRD, and whether it has to be done again. */
  readonly #syncs = new Map<string, { done: Promise<void>; again: boolean }>();
  readonly #retries: Retries;
  readonly #seen = new SeenRevisions();
  /**
   * The annotation that a condition was last written for: as in the reference, what a user makes of the condition then
   * stays.
   */
  readonly #approvalSeen = new Map<string, string>();
  /** The same for schemas. */
  readonly #structures = new Map<string, CRDStructure>();
  readonly #steps: readonly CRDStep[];
  #status: CRDStatus | undefined;
  #finalizer: CRDFinalizer | undefined;
  #informer: ObjectInformer<ObjectRecord> | undefined;
  readonly #ending = new AbortController();
  #stopped = false;

  constructor(options: CRDControllerOptions) {
    this.#options = options;
    this.#retries = new Retries(options.clock);
    this.#schemasInUse = new PartsInUse({ clock: options.clock, ...schemasKept });
    this.#served = new ServedCustomResources(options.installer, {
      ...options.customResources,
      schemasInUse: this.#schemasInUse,
    });
    const step = (queue: string, run: CRDStep['run']): CRDStep => ({ queue: options.queueMetrics?.queue(queue), run });
    this.#steps = [
      step('crd_naming_condition_controller', (name) => this.#acceptNames(name)),
      step('crdEstablishing', (name) => this.#establish(name)),
      step('kubernetes_api_approval_conformant_condition_controller', (name) => this.#approve(name)),
      step('non_structural_schema_condition_controller', (name) => this.#checkStructure(name)),
    ];
  }

  /** Begins to follow the stored CRDs; resolves when all of them are served. */
  async start(store: Store, signal: AbortSignal): Promise<void> {
    const { clock, queueMetrics } = this.#options;
    this.#status = new CRDStatus(store, clock);
    this.#finalizer = new CRDFinalizer({
      ...this.#options.deletion,
      status: this.#status,
      clock,
      queue: queueMetrics?.queue('crd_finalizer'),
      get: (name) => this.#crds.get(name),
      written: (crd, record) => this.#written(crd, record),
      withInstances: (crd, use) => this.#withInstances(crd, use),
    });
    this.#informer = new ObjectInformer({
      storage: store.storage,
      keyRoot: store.keyRoot,
      informerEnds: store.informerEnds,
      transform: (record) => record,
      onError: (error) => {
        log.warning('cannot follow CRDs', { error: messageOf(error) });
      },
    });
    this.#informer.onChange((change) => {
      if (change.kind === 'delete') {
        this.#seen.forget(change.key);
        this.#gone(change.key, recordedUID(change.previous));
      } else {
        this.#seen.see(change.key, change.value.revision);
        void this.#changed(change.value, true);
      }
    });
    this.#informer.start();
    await this.#informer.waitForSync(signal);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ending.abort();
    this.#informer?.stop();
    this.#seen.stop();
    this.#retries.stop();
    this.#schemasInUse.stop();
    await this.#finalizer?.stop();
    await this.#served.close();
  }

  /** Brings everything in line with a CRD as it is stored now. Never rejects: what fails is logged and tried again. */
  changed(record: ObjectRecord): Promise<void> {
    return this.#changed(record, false);
  }

  #changed(record: ObjectRecord, cached: boolean): Promise<void> {
    const { name } = record.attributes;
    return this.#set(record, cached) ? this.#sync(name) : (this.#syncs.get(name)?.done ?? Promise.resolve());
  }

  /** Whether the state is news. */
  #set(record: ObjectRecord, cached: boolean): boolean {
    const change = this.#crds.set(record, cached);
    if (change === undefined) return false;
    const { before, known, name, whole } = change;
    const { crd } = known;
    // A CRD may be followed by another one of its name before it is seen to go.
    const generation = `${crd.metadata.uid ?? ''} ${crd.metadata.generation ?? 0}`;
    if (this.#structures.get(name)?.generation !== generation)
      this.#structures.set(name, new CRDStructure(generation, whole));
    this.#served.sync(known);
    if (freesNames(before, crd)) this.#reconsider(name, crd.spec.group);
    return true;
  }

  #written(
    { metadata: { name = '', uid } }: CustomResourceDefinition,
    record: ObjectRecord | undefined,
  ): CustomResourceDefinition | undefined {
    if (record === undefined) this.#gone(name, uid);
    else this.#set(record, false);
    return this.#crds.get(name);
  }

  /** A CRD that is gone has no objects that were its own. */
  async #withInstances(
    { metadata: { name = '', uid } }: CustomResourceDefinition,
    use: (store: Store) => Promise<void>,
  ): Promise<void> {
    const known = this.#crds.known(name);
    if (known !== undefined && known.crd.metadata.uid === uid) await this.#served.withInstances(known, use);
  }

  #gone(name: string, uid: string | undefined): void {
    const crd = this.#crds.delete(name, uid);
    if (crd === undefined) return;
    this.#approvalSeen.delete(name);
    this.#structures.delete(name);
    this.#retries.forget(name);
    this.#served.remove(name, uid);
    this.#reconsider(name, crd.spec.group);
  }

  /** Names may have become free for the other CRDs of the group that do not have theirs. */
  #reconsider(name: string, group: string): void {
    for (const [other, crd] of this.#crds.inGroup(group))
      if (other !== name && !hasItsNames(crd)) void this.#sync(other);
  }

  /** One run at a time for each CRD; a change during a run is looked at by another, which callers wait for too. */
  #sync(name: string): Promise<void> {
    const running = this.#syncs.get(name);
    if (running?.again !== true) for (const { queue } of this.#steps) queue?.added(name);
    if (running !== undefined) {
      running.again = true;
      return running.done;
    }
    const sync = { done: Promise.resolve(), again: true };
    this.#syncs.set(name, sync);
    sync.done = this.#run(name, sync);
    return sync.done;
  }

  async #run(name: string, sync: { again: boolean }): Promise<void> {
    try {
      while (sync.again && !this.#stopped) {
        sync.again = false;
        await this.#step(name);
      }
      this.#retries.forget(name);
    } catch (error) {
      if (this.#stopped) return;
      log.warning('CRD cannot be brought up to date', { crd: name, error: messageOf(error) });
      this.#retries.later(name, () => {
        void this.#sync(name);
      });
    } finally {
      this.#syncs.delete(name);
    }
  }

  async #step(name: string): Promise<void> {
    this.#finalizer?.enqueue(name);
    for (const { queue, run } of this.#steps) {
      try {
        await counted(queue, name, () => run(name));
      } catch (error) {
        queue?.retried();
        throw error;
      }
    }
  }

  async #acceptNames(name: string): Promise<void> {
    const crd = this.#crds.get(name);
    if (crd === undefined || resolveNames(crd, this.#takenFor(name, crd)) === undefined) return;
    try {
      await this.#update(crd, (stored) => {
        const resolved = resolveNames(stored, this.#takenFor(name, stored));
        if (resolved === undefined) return stored;
        // Claimed before it is written: what is computed for another CRD from now on respects it.
        this.#claims.set(name, resolved.acceptedNames);
        const now = this.#now();
        return {
          ...stored,
          status: {
            ...stored.status,
            acceptedNames: resolved.acceptedNames,
            conditions: withCondition(
              withCondition(stored.status?.conditions ?? [], resolved.namesAccepted, now),
              resolved.established,
              now,
            ),
          },
        };
      });
    } finally {
      this.#claims.delete(name);
    }
  }

  /**
   * Only once the names have come back from storage, as in the reference: whoever follows CRDs there has had its chance
   * to see this one; and once the aggregator has registered its group versions.
   */
  async #establish(name: string): Promise<void> {
    const crd = this.#crds.get(name);
    if (crd === undefined || establishedCondition(crd) === undefined) return;
    await this.#seen.wait(name, revisionOf(crd));
    await this.#options.registered?.(crd, this.#ending.signal);
    await this.#setCondition(name, establishedCondition);
  }

  #takenFor(name: string, crd: CustomResourceDefinition): TakenNames {
    const accepted: (CRDNames | undefined)[] = [crd.status?.acceptedNames];
    for (const [other, { status }] of this.#crds.inGroup(crd.spec.group))
      if (other !== name) accepted.push(status?.acceptedNames, this.#claims.get(other));
    return takenNames(accepted);
  }

  async #approve(name: string): Promise<void> {
    const annotation = (crd: CustomResourceDefinition): string => crd.metadata.annotations?.[approvedAnnotation] ?? '';
    const written = await this.#setCondition(name, (crd) => {
      const condition = this.#approvalSeen.get(name) === annotation(crd) ? undefined : approvalCondition(crd);
      return condition === undefined || sameCondition(condition, conditionOf(crd, condition.type))
        ? undefined
        : condition;
    });
    if (written !== undefined) this.#approvalSeen.set(name, annotation(written));
  }

  async #checkStructure(name: string): Promise<void> {
    const type = 'NonStructuralSchema';
    const crd = this.#crds.get(name);
    const structure = this.#structures.get(name);
    if (crd === undefined || structure === undefined) return;
    if (structure.written) return;
    const turns = new Turns();
    const condition = await structure.condition(() => turns.next());
    const isMissing = ({ metadata, status }: CustomResourceDefinition): boolean => {
      const old = status?.conditions?.find((known) => known.type === type);
      return (
        metadata.generation === crd.metadata.generation &&
        (condition === undefined ? old !== undefined : !sameCondition(condition, old))
      );
    };
    if (!isMissing(crd)) return;
    await this.#update(crd, (stored) => {
      if (!isMissing(stored)) return stored;
      const conditions = stored.status?.conditions ?? [];
      return {
        ...stored,
        status: {
          ...stored.status,
          conditions:
            condition === undefined
              ? withoutCondition(conditions, type)
              : withCondition(conditions, condition, this.#now()),
        },
      };
    });
    structure.written = true;
  }

  /** Writes the condition that `decide` finds missing. Resolves to what was written, undefined when nothing was. */
  async #setCondition(
    name: string,
    decide: (crd: CustomResourceDefinition) => Omit<CRDCondition, 'lastTransitionTime'> | undefined,
  ): Promise<CustomResourceDefinition | undefined> {
    const crd = this.#crds.get(name);
    if (crd === undefined || decide(crd) === undefined) return undefined;
    return this.#update(crd, (stored) => {
      const condition = decide(stored);
      return condition === undefined
        ? stored
        : {
            ...stored,
            status: {
              ...stored.status,
              conditions: withCondition(stored.status?.conditions ?? [], condition, this.#now()),
            },
          };
    });
  }

  async #update(crd: CustomResourceDefinition, change: CRDChange): Promise<CustomResourceDefinition | undefined> {
    if (this.#status === undefined) return crd;
    return this.#written(crd, await this.#status.update(crd, change));
  }

  #now(): string {
    return formatTime(this.#options.clock.now());
  }
}

function revisionOf({ metadata }: CustomResourceDefinition): number {
  return Number(metadata.resourceVersion);
}

/** Whether names that a CRD had are no longer its own. */
function freesNames(before: CustomResourceDefinition | undefined, after: CustomResourceDefinition): boolean {
  const old = takenNames([before?.status?.acceptedNames]);
  const now = takenNames([after.status?.acceptedNames]);
  return (
    [...old.resources].some((name) => !now.resources.has(name)) || [...old.kinds].some((name) => !now.kinds.has(name))
  );
}
