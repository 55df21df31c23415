import { isStatusError, messageOf } from '@kubechain/apimachinery';
import type { Condition } from '@kubechain/apimachinery/types/meta/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { apiVersionOf } from '../client/resource-type.ts';
import type { ResourceType } from '../client/resource-type.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { DefinitionMarks } from './definition-marks.ts';
import { completed, failed, hasEnded, is, nextOf, resourceNameOf, running, succeeded } from './migrations.ts';
import type { Progress, StorageVersionMigration } from './migrations.ts';

const fieldManager = 'storage-version-migrator-controller';
const neededVerbs = ['update', 'patch', 'list'];
/** How long a resource that is not served yet may take to be. */
const patienceMs = 60_000;
/** What a server says that is not to last. */
const passing: ReadonlySet<number> = new Set([429, 500, 503, 504]);

/**
 * Writes the objects of resources anew, as StorageVersionMigrations ask for it, so that they are stored as they would
 * be now: in today's version, and encrypted with today's key. One migration of a resource runs at a time. Source:
 * pkg/controller/storageversionmigrator, 1.37.
 */
export class StorageVersionMigrator implements Controller {
  readonly #context: ControllerContext;
  /** Names of resources, `widgets.example.com`: for which the next migration is chosen. */
  readonly #resources: WorkQueue;
  /** Names of migrations. */
  readonly #queue: WorkQueue;
  readonly #marks: DefinitionMarks;
  readonly #type: ResourceType<StorageVersionMigration>;
  readonly #migrations: SharedInformer<StorageVersionMigration>;

  constructor(context: ControllerContext, type: ResourceType<StorageVersionMigration>) {
    const { client, clock, queueMetrics: metrics } = context;
    this.#context = context;
    this.#resources = new WorkQueue({ clock, metrics, name: 'migration-runner-controller' });
    this.#queue = new WorkQueue({ clock, metrics, name: fieldManager });
    this.#marks = new DefinitionMarks(client, clock);
    this.#type = type;
    this.#migrations = this.#follow(type);
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#migrations.waitForSync(signal);
    const { log } = this.#context;
    const onError = (error: unknown, about: string): void => log.error('cannot migrate', error, { about });
    await Promise.all([
      runWorkers({ queue: this.#resources, workers: 1, signal, sync: (name) => this.#choose(name), onError }),
      runWorkers({ queue: this.#queue, workers: 5, signal, sync: (name) => this.#sync(name), onError }),
    ]);
  }

  #follow(type: ResourceType<StorageVersionMigration>): SharedInformer<StorageVersionMigration> {
    const informer = this.#context.informers.informer(type);
    const add = (migration: StorageVersionMigration): void => {
      this.#resources.add(resourceNameOf(migration));
      this.#queue.add(migration.metadata?.name ?? '');
    };
    informer.addHandlers({
      onAdd: add,
      onUpdate: add,
      onDelete: (migration) => this.#resources.add(resourceNameOf(migration)),
    });
    return informer;
  }

  async #choose(resource: string): Promise<void> {
    const { clock } = this.#context;
    const all = this.#migrations.list().filter((migration) => resourceNameOf(migration) === resource);
    const { ended, next } = nextOf(all);
    for (const migration of ended) {
      await this.#marks.ended(resource, is(migration, 'Succeeded'));
      await this.#tell(migration, completed(migration, clock.now()));
    }
    if (next === undefined) return;
    await this.#marks.begun(resource, next.metadata?.name ?? '');
    await this.#tell(next, running(next.status?.conditions, clock.now()));
  }

  async #sync(name: string): Promise<void> {
    const migration = this.#migrations.get(name);
    if (migration === undefined || hasEnded(migration) || !is(migration, 'Running')) return;
    const { clock, discovery } = this.#context;
    const { resources } = await discovery.preferredResources();
    const resource = resources.find((each) => `${each.resource}.${each.group}` === resourceNameOf(migration));
    if (resource === undefined) {
      const since = clock.now() - Date.parse(migration.metadata?.creationTimestamp ?? '');
      if (since < patienceMs) throw new Error(`${resourceNameOf(migration)} is not served yet`);
      return this.#fail(migration, 'resource does not exist in discovery');
    }
    if (!neededVerbs.every((verb) => resource.verbs.includes(verb)))
      return this.#fail(
        migration,
        `resource "${apiVersionWithSlash(resource)}, Resource=${resource.resource}" does not support discovery ` +
          `operations: [${neededVerbs.join(' ')}]`,
      );
    const { resourceVersion = '' } = migration.status ?? {};
    if (resourceVersion !== '') return this.#migrate(migration, resource);
    // What is written from now on is stored as it should be.
    const { metadata } = await this.#context.client.resource(resource).list({ limit: 1, metadataOnly: true });
    await this.#tell(migration, migration.status?.conditions ?? [], metadata.resourceVersion ?? '');
  }

  async #migrate(migration: StorageVersionMigration, resource: DiscoveredResource): Promise<void> {
    const objects = this.#context.client.resource(resource);
    const { items } = await objects.listAll({ metadataOnly: true });
    const limit = BigInt(migration.status?.resourceVersion ?? '0');
    const old = items.filter(({ metadata }) => BigInt(metadata?.resourceVersion ?? '0') <= limit);
    const { clock } = this.#context;
    const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    let left = old.length;
    for (const { metadata } of old) {
      const { name = '', namespace, resourceVersion } = metadata ?? {};
      try {
        await objects.patch(
          { name, namespace },
          { ...kind, metadata: { resourceVersion } },
          { fieldManager, metadataOnly: true },
        );
      } catch (error) {
        const code = isStatusError(error) ? (error.status.code ?? 0) : 0;
        // Written, or gone, meanwhile: there is nothing left to do for it.
        if (code !== 404 && code !== 409) {
          const progress = { left, all: items.length };
          if (code === 0 || passing.has(code)) {
            const told = { ...progress, obstacle: messageOf(error) };
            await this.#tell(migration, running(migration.status?.conditions, clock.now(), told));
            throw error;
          }
          const message = `${left}/${items.length} not yet migrated. migration encountered unhandled error: `;
          return this.#fail(migration, message + messageOf(error), progress);
        }
      }
      left--;
    }
    const now = running(migration.status?.conditions, clock.now(), { left, all: items.length });
    await this.#tell(migration, succeeded(now, clock.now()));
  }

  #fail(migration: StorageVersionMigration, message: string, progress?: Progress): Promise<void> {
    const nowMs = this.#context.clock.now();
    const known = migration.status?.conditions;
    const conditions = progress === undefined ? known : running(known, nowMs, progress);
    return this.#tell(migration, failed(conditions, nowMs, message));
  }

  async #tell(
    migration: StorageVersionMigration,
    conditions: readonly Condition[],
    resourceVersion = migration.status?.resourceVersion,
  ): Promise<void> {
    await this.#context.client.resource(this.#type).updateStatus({
      ...migration,
      status: { ...migration.status, conditions, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    });
  }
}

/** As Go prints it: `/v1` for the core group. */
function apiVersionWithSlash({ group: of, version }: DiscoveredResource): string {
  return `${of}/${version}`;
}
