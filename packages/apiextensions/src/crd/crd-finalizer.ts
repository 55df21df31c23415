import { formatTime, isNotFound, Backoff, messageOf, sleep } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { everything, internalContext } from '@kubechain/apiserver/resources';
import type { Store } from '@kubechain/apiserver/resources';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { counted, type QueueMetrics } from '@kubechain/shared-storage/metrics';
import type { CRDStatus } from './crd-status.ts';
import { isEstablished } from '../definition/crd-types.ts';
import type { CRDCondition, CustomResourceDefinition } from '../definition/crd-types.ts';
import { Retries } from './retries.ts';
import { withCondition } from './set-condition.ts';

const log = new Logger('crd-finalizer');

/** Keeps a CRD until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** CRDs of these would delete what is not theirs. */
const builtIn: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

type Terminating = Pick<CRDCondition, 'status' | 'reason' | 'message'>;

/** Deleting the objects did not come to its end; `reason` and the message are the condition's. */
class DeletionFailed extends Error {
  override readonly name = 'DeletionFailed';
  readonly reason: 'InstanceDeletionFailed' | 'InstanceDeletionCheck';

  constructor(reason: DeletionFailed['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface CRDFinalizerOptions {
  readonly status: CRDStatus;
  readonly clock: TimerClock;
  /** Where CRDs that are being deleted are counted. Default: nowhere. */
  readonly queue?: QueueMetrics<string> | undefined;
  /** The CRD as it is known now. */
  readonly get: (name: string) => CustomResourceDefinition | undefined;
  /** Takes note of what became of a CRD by a write, undefined: it is gone; returns the CRD as it is known then. */
  readonly written: (
    crd: CustomResourceDefinition,
    record: ObjectRecord | undefined,
  ) => CustomResourceDefinition | undefined;
  /** Runs `use` with the CRD's objects as they are stored. @throws whatever keeps them from being served */
  readonly withInstances: (crd: CustomResourceDefinition, use: (store: Store) => Promise<void>) => Promise<void>;
  /** How long objects may take to go before that is said in the CRD. Default 60,000. */
  readonly limitMs?: number;
  /** Longest pause between two looks at what is left. Default 5,000. */
  readonly longestPauseMs?: number;
}

/**
 * Deletes the objects of a CRD that is being deleted, then lets it go (pkg/controller/finalizer/crd_finalizer.go,
 * 1.36).
 * What fails is said in the condition Terminating and tried again, with growing pauses.
 *
 *     Pending ─► InProgress ─► objects deleted ─► none left ─► finalizer removed
 *                    ▲              │ error           │ not within a minute
 *                    └── retry ── Failed            Check
 */
export class CRDFinalizer {
  readonly #options: CRDFinalizerOptions;
  readonly #retries: Retries;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();

  constructor(options: CRDFinalizerOptions) {
    this.#options = options;
    this.#retries = new Retries(options.clock);
  }

  /** Begins with a CRD if it is being deleted, unless that is under way. */
  enqueue(name: string): void {
    const crd = this.#options.get(name);
    if (this.#stop.signal.aborted || this.#running.has(name) || crd === undefined || !isHeld(crd)) return;
    const { queue } = this.#options;
    queue?.added(name);
    const run = counted(queue, name, () => this.#finalize(name, crd))
      .then(
        () => {
          this.#retries.forget(name);
        },
        (error: unknown) => {
          if (this.#stop.signal.aborted) return;
          log.warning('CRD cannot be finalized', { crd: name, error: messageOf(error) });
          queue?.retried();
          this.#retries.later(name, () => {
            this.enqueue(name);
          });
        },
      )
      .finally(() => {
        this.#running.delete(name);
      });
    this.#running.set(name, run);
  }

  /** Ends what is under way; resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#retries.stop();
    await Promise.all(this.#running.values());
  }

  async #finalize(name: string, crd: CustomResourceDefinition): Promise<void> {
    const begun = await this.#setTerminating(crd, {
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
    if (begun === undefined || !isHeld(begun)) return;
    const outcome = await this.#deleteInstances(name, begun);
    if (this.#stop.signal.aborted) return;
    await this.#setTerminating(begun, outcome, true);
  }

  /** What becomes of the condition with the last word. */
  async #deleteInstances(name: string, crd: CustomResourceDefinition): Promise<Terminating> {
    if (builtIn.has(`${crd.spec.names.plural}.${crd.spec.group}`))
      return {
        status: 'False',
        reason: 'OverlappingBuiltInResource',
        message: 'instances overlap with built-in resources in storage',
      };
    if (!isEstablished(crd))
      return { status: 'False', reason: 'NeverEstablished', message: 'resource was never established' };
    try {
      await this.#options.withInstances(crd, (store) => this.#deleteAll(name, crd, store));
    } catch (error) {
      const { message, reason } =
        error instanceof DeletionFailed
          ? error
          : {
              reason: 'InstanceDeletionFailed',
              message:
                'could not list instances: unable to find a custom resource client for ' +
                `${crd.status?.acceptedNames?.plural ?? ''}.${crd.spec.group}: ${messageOf(error)}`,
            };
      if (!this.#stop.signal.aborted) await this.#setTerminating(crd, { status: 'True', reason, message });
      throw error;
    }
    return { status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
  }

  async #deleteAll(name: string, crd: CustomResourceDefinition, store: Store): Promise<void> {
    const groupResource = { group: store.spec.group, resource: store.spec.plural };
    const failures = new Map<string, string>();
    for (const { attributes } of await this.#list(store, 'InstanceDeletionFailed', 'could not list instances')) {
      if (failures.has(attributes.namespace)) continue;
      try {
        await store.delete(
          internalContext({ groupResource, namespace: attributes.namespace }),
          attributes.name,
          () => undefined,
          { dryRun: false },
        );
      } catch (error) {
        if (!isNotFound(error)) failures.set(attributes.namespace, messageOf(error));
      }
    }
    const messages = [...new Set(failures.values())];
    if (messages.length > 0)
      throw new DeletionFailed(
        'InstanceDeletionFailed',
        `could not issue all deletes: ${messages.length === 1 ? messages.join() : `[${messages.join(', ')}]`}`,
      );
    await this.#waitForNone(name, crd, store);
  }

  /** What is left has finalizers of its own: somebody else has to remove them. */
  async #waitForNone(name: string, crd: CustomResourceDefinition, store: Store): Promise<void> {
    const { clock, get, limitMs = 60_000, longestPauseMs = 5_000 } = this.#options;
    const until = clock.now() + limitMs;
    const pauses = new Backoff({ firstMs: 50, longestMs: longestPauseMs });
    while (get(name)?.metadata.uid === crd.metadata.uid) {
      if (
        (await this.#list(store, 'InstanceDeletionCheck', 'could not confirm zero CustomResources remaining'))
          .length === 0
      )
        return;
      if (clock.now() >= until)
        throw new DeletionFailed(
          'InstanceDeletionCheck',
          'could not confirm zero CustomResources remaining: context deadline exceeded',
        );
      await sleep(clock, pauses.next(), this.#stop.signal);
      this.#stop.signal.throwIfAborted();
    }
  }

  async #list(
    store: Store,
    reason: DeletionFailed['reason'],
    what: string,
  ): Promise<Awaited<ReturnType<Store['list']>>['items']> {
    const groupResource = { group: store.spec.group, resource: store.spec.plural };
    try {
      return (
        await store.list(internalContext({ groupResource }), {
          predicate: everything,
          resourceVersion: '',
          resourceVersionMatch: '',
          limit: 0,
          continue: '',
        })
      ).items;
    } catch (error) {
      throw new DeletionFailed(reason, `${what}: ${messageOf(error)}`, { cause: error });
    }
  }

  async #setTerminating(
    crd: CustomResourceDefinition,
    condition: Terminating,
    done = false,
  ): Promise<CustomResourceDefinition | undefined> {
    const now = formatTime(this.#options.clock.now());
    const written = await this.#options.status.update(crd, (stored) => ({
      ...stored,
      metadata: done
        ? {
            ...stored.metadata,
            finalizers: (stored.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer),
          }
        : stored.metadata,
      status: {
        ...stored.status,
        conditions: withCondition(stored.status?.conditions ?? [], { type: 'Terminating', ...condition }, now),
      },
    }));
    return this.#options.written(crd, written);
  }
}

function isHeld({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(cleanupFinalizer) === true;
}
