import { formatTime, isNotFound } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { statusOfServers, type ServerStorageVersion, type StorageVersion } from '@kubechain/component-helpers';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

const NAMESPACE = 'kube-system';
const LABEL = 'apiserver.kubernetes.io/identity';

/**
 * Takes servers that are gone, as their leases say, out of StorageVersions, and deletes those of which no server tells
 * any more (pkg/controller/storageversiongc).
 */
export class StorageVersionGC implements Controller {
  readonly #context: ControllerContext;
  readonly #type: ResourceType<StorageVersion>;
  readonly #leases: SharedInformer<Lease>;
  readonly #versions: SharedInformer<StorageVersion>;
  /** Names of leases that were deleted. */
  readonly #goneLeases: WorkQueue;
  /** Names of storage versions with servers that have no lease. */
  readonly #staleVersions: WorkQueue;

  constructor(context: ControllerContext, type: ResourceType<StorageVersion>) {
    const { clock, informers, queueMetrics: metrics } = context;
    this.#context = context;
    this.#type = type;
    const prefix = 'storage_version_garbage_collector';
    this.#goneLeases = new WorkQueue({ clock, metrics, name: `${prefix}_leases` });
    this.#staleVersions = new WorkQueue({ clock, metrics, name: `${prefix}_storageversions` });
    this.#leases = informers.informer(resources.leases);
    this.#versions = informers.informer(type);
    this.#leases.addHandlers({
      onDelete: (lease) => {
        if (isOfServer(lease)) this.#goneLeases.add(lease.metadata?.name ?? '');
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#leases.waitForSync(signal), this.#versions.waitForSync(signal)]);
    // Until all leases are known every server would seem to be gone.
    const look = ({ metadata, status }: StorageVersion): void => {
      if (status?.storageVersions?.every((server) => this.#seemsAlive(server)) === false)
        this.#staleVersions.add(metadata?.name ?? '');
    };
    const forget = this.#versions.addHandlers({ onAdd: look, onUpdate: look });
    const { log } = this.#context;
    const onError = (error: unknown, about: string): void => log.error('cannot clean up', error, { about });
    await Promise.all([
      runWorkers({ queue: this.#goneLeases, workers: 1, signal, sync: (name) => this.#leaseIsGone(name), onError }),
      runWorkers({ queue: this.#staleVersions, workers: 1, signal, sync: (name) => this.#syncVersion(name), onError }),
    ]).finally(forget);
  }

  #seemsAlive({ apiServerID = '' }: ServerStorageVersion): boolean {
    const lease = this.#leases.get(`${NAMESPACE}/${apiServerID}`);
    return lease !== undefined && isOfServer(lease);
  }

  /** As the server says, not as the informer does. @throws StatusError, TransportError when it cannot be asked */
  async #lease(name: string): Promise<Lease | undefined> {
    try {
      return await this.#context.client.resource(resources.leases).get({ namespace: NAMESPACE, name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #leaseIsGone(name: string): Promise<void> {
    if ((await this.#lease(name)) !== undefined) return;
    const { items } = await this.#context.client.resource(this.#type).list();
    const failures: unknown[] = [];
    for (const item of items) {
      const left = item.status?.storageVersions?.filter(({ apiServerID }) => apiServerID !== name) ?? [];
      if (left.length === (item.status?.storageVersions?.length ?? 0)) continue;
      await this.#keep(item, left).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, `cannot forget what ${name} stored`);
  }

  async #syncVersion(name: string): Promise<void> {
    let version: StorageVersion;
    try {
      version = await this.#context.client.resource(this.#type).get({ name });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    const servers = version.status?.storageVersions ?? [];
    const left: ServerStorageVersion[] = [];
    for (const server of servers) {
      const lease = await this.#lease(server.apiServerID ?? '');
      if (lease !== undefined && isOfServer(lease)) left.push(server);
    }
    if (left.length < servers.length) await this.#keep(version, left);
  }

  async #keep(version: StorageVersion, servers: readonly ServerStorageVersion[]): Promise<void> {
    const versions = this.#context.client.resource(this.#type);
    if (servers.length === 0) return versions.delete({ name: version.metadata?.name ?? '' });
    const status = statusOfServers(version.status, servers, formatTime(this.#context.clock.now()));
    await versions.updateStatus({ ...version, status });
  }
}

function isOfServer({ metadata }: Lease): boolean {
  return metadata?.namespace === NAMESPACE && metadata.labels?.[LABEL] === 'kube-apiserver';
}
