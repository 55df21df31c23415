import { isConflict, isNotFound, messageOf } from '@kubechain/apimachinery';
import type { Namespace } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { Discovered } from '../discovery/discovery.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { NamespaceConditions, type Remaining } from './namespace-conditions.ts';
import { deleteContent, type ContentLeft } from './namespace-content.ts';

/** Requests that were under way when a namespace was deleted may still create objects in it. */
const GRACE_MS = 5000;
const FINALIZER = 'kubernetes';

/** Content is left that should go by itself. */
class ContentRemaining extends Error {
  override readonly name = 'ContentRemaining';
  readonly seconds: number;
  constructor(seconds: number) {
    super(`some content remains in the namespace, estimate ${seconds} seconds before it is removed`);
    this.seconds = seconds;
  }
}

/**
 * Empties namespaces that are being deleted, tells in their conditions how far that is, and takes away the finalizer
 * `kubernetes` at the end (pkg/controller/namespace). Pods go first; the rest waits for them.
 */
export class NamespaceController implements Controller {
  readonly #context: ControllerContext;
  readonly #namespaces: SharedInformer<Namespace>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({
      clock: context.clock,
      metrics: context.queueMetrics,
      name: 'namespace',
      longestMs: 60_000,
    });
    this.#namespaces = context.informers.informer(resources.namespaces);
    const changed = ({ metadata }: Namespace): void => {
      if (metadata?.deletionTimestamp !== undefined) this.#queue.addAfter(metadata.name ?? '', GRACE_MS);
    };
    this.#namespaces.addHandlers(
      { onAdd: changed, onUpdate: changed },
      { resyncMs: context.flags.lifecycle['namespace-sync-period'] },
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#namespaces.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: this.#context.flags.concurrency['concurrent-namespace-syncs'],
      signal,
      sync: (name) => this.#sync(name),
      onError: (error, namespace) => this.#context.log.error('deletion of namespace failed', error, { namespace }),
    });
  }

  async #sync(name: string): Promise<void> {
    if (this.#namespaces.get(name) === undefined) return;
    try {
      await this.#delete(name);
    } catch (error) {
      if (isNotFound(error)) return;
      if (!(error instanceof ContentRemaining)) throw error;
      this.#queue.addAfter(name, (Math.floor(error.seconds / 2) + 1) * 1000);
    }
  }

  async #delete(name: string): Promise<void> {
    const namespaces = this.#context.client.resource(resources.namespaces);
    const found = await namespaces.get({ name });
    if (found.metadata?.deletionTimestamp === undefined) return;
    const terminating = await this.#retryOnConflict(found, async (namespace) =>
      namespace.metadata?.deletionTimestamp === undefined || namespace.status?.phase === 'Terminating'
        ? namespace
        : namespaces.updateStatus({ ...namespace, status: { ...namespace.status, phase: 'Terminating' } }),
    );
    if (terminating.metadata?.deletionTimestamp === undefined || (terminating.spec?.finalizers ?? []).length === 0)
      return;
    const seconds = await this.#deleteAllContent(terminating);
    if (seconds > 0) throw new ContentRemaining(seconds);
    await this.#retryOnConflict(terminating, (namespace) =>
      namespaces.update(
        {
          metadata: namespace.metadata ?? {},
          spec: { finalizers: (namespace.spec?.finalizers ?? []).filter((each) => each !== FINALIZER).sort() },
          apiVersion: 'v1',
          kind: 'Namespace',
        },
        'finalize',
      ),
    );
  }

  async #retryOnConflict(
    namespace: Namespace,
    update: (namespace: Namespace) => Promise<Namespace>,
  ): Promise<Namespace> {
    for (let latest = namespace; ;) {
      try {
        return await update(latest);
      } catch (error) {
        if (!isConflict(error)) throw error;
        latest = await this.#context.client
          .resource(resources.namespaces)
          .get({ name: namespace.metadata?.name ?? '' });
        if (latest.metadata?.uid !== namespace.metadata?.uid)
          throw new Error('namespace uid has changed across retries', { cause: error });
      }
    }
  }

  /** Resolves to the seconds after which it is worth to look again; 0 when the namespace is empty. */
  async #deleteAllContent(namespace: Namespace): Promise<number> {
    const { client, clock, discovery } = this.#context;
    const { name = '', deletionTimestamp = '' } = namespace.metadata ?? {};
    const conditions = new NamespaceConditions(clock);
    const failures: unknown[] = [];
    const left: Remaining[] = [];
    let seconds = 0;
    const note = ({ error, remaining, estimateSeconds }: ContentLeft): void => {
      if (error !== undefined) {
        failures.push(error);
        conditions.contentFailed(messageOf(error));
      }
      seconds = Math.max(seconds, estimateSeconds);
      if (remaining !== undefined) left.push(remaining);
    };

    const discovered = await discovery.preferredResources();
    const failure = discoveryFailure(discovered);
    if (failure !== undefined) {
      failures.push(failure);
      conditions.discoveryFailed(
        `Discovery failed for some groups, ${discovered.failed.size} failing: ${failure.message}`,
      );
    }
    const deletable = discovered.resources.filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'));
    const options = { client, clock, namespace: name, deletedAt: deletionTimestamp };
    const pods = deletable.find(({ group, resource }) => group === '' && resource === 'pods');
    if (pods !== undefined) note(await deleteContent(pods, options));
    // While there are pods they may need what else is in the namespace.
    if (left.length === 0) {
      for (const resource of deletable) if (resource !== pods) note(await deleteContent(resource, options));
      conditions.remaining(left);
    }
    await this.#updateStatus(namespace, conditions);
    if (failures.length > 0) throw failures[0] as Error;
    return seconds;
  }

  async #updateStatus(namespace: Namespace, conditions: NamespaceConditions): Promise<void> {
    const status = conditions.applyTo(namespace.status);
    if (status === undefined) return;
    try {
      await this.#context.client.resource(resources.namespaces).updateStatus({ ...namespace, status });
    } catch (error) {
      if (!isNotFound(error)) this.#context.log.error('cannot update conditions of a namespace', error);
    }
  }
}

/** One error for all group versions that could not be asked (discovery.ErrGroupDiscoveryFailed). */
function discoveryFailure({ failed }: Discovered): Error | undefined {
  if (failed.size === 0) return undefined;
  const groups = [...failed].map(([groupVersion, reason]) => `${groupVersion}: ${reason}`).sort();
  return new Error(`unable to retrieve the complete list of server APIs: ${groups.join(', ')}`);
}
