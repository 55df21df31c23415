import { isConflict, isNotFound, messageOf } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { Logger } from '@kubechain/apiserver/logging';
import { apiServerID, isServerLease, serverLeaseNamespace } from '@kubechain/apiserver/options';
import { OwnWrites, everything, internalContext } from '@kubechain/apiserver/resources';
import type { RESTContext, Store } from '@kubechain/apiserver/resources';
import { repeat } from './repeat.ts';
import { isExpired, renewed, serverLease } from './server-lease.ts';
import type { ServerIdentity } from './server-lease.ts';

const log = new Logger('identity');

/** How often a server says that it lives, and how often it looks for those that do not (pkg/controlplane, 1.36). */
const renewMs = 10_000;
const collectMs = 3_600_000;

export interface ServerLeaseKeeperOptions {
  /** Of leases. */
  readonly store: Store;
  readonly hostname: string;
  /** As ServerIdentity. */
  readonly peerAddress: string | undefined;
  readonly clock: TimerClock;
  readonly newUID: () => string;
}

/** Keeps this server's lease while it runs, and removes leases of servers that have stopped without saying so. */
export class ServerLeaseKeeper {
  readonly #store: Store;
  readonly #id: string;
  readonly #identity: ServerIdentity;
  readonly #clock: TimerClock;
  readonly #own: OwnWrites;
  #stopped = false;
  #work: Promise<void> = Promise.resolve();

  constructor({ store, hostname, peerAddress, clock, newUID }: ServerLeaseKeeperOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#id = apiServerID(hostname);
    this.#identity = { hostname, holder: `${this.#id}_${newUID()}`, peerAddress };
    this.#own = new OwnWrites(store, { scheme: store.spec.scheme, clock });
  }

  /** Takes the lease, and renews it until `signal` aborts. Resolves when the lease is there for the first time. */
  start(signal: AbortSignal): Promise<void> {
    return repeat(() => this.#renew(signal), { clock: this.#clock, intervalMs: renewMs, signal, onError: warn });
  }

  /** Takes the lease, and does not renew it: for a chain with one server of each kind. */
  take(signal: AbortSignal): Promise<void> {
    return this.#renew(signal);
  }

  /** Looks now and from time to time until `signal` aborts; resolves after the first look. */
  startCollecting(signal: AbortSignal): Promise<void> {
    return repeat(() => this.#collect(signal), { clock: this.#clock, intervalMs: collectMs, signal, onError: warn });
  }

  /** Gives the lease back: the server is about to stop. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#work;
    const context = this.#context();
    await this.#store
      .delete(context, this.#id, () => undefined, { dryRun: false })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }

  #renew(signal: AbortSignal): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    const work = this.#renewOnce(signal);
    this.#work = work.catch(() => {
      /* whoever asked for it hears of it */
    });
    return work;
  }

  async #renewOnce(signal: AbortSignal): Promise<void> {
    const context = this.#context(signal);
    const nowMs = this.#clock.now();
    try {
      const lease = await this.#read(context, this.#id);
      await this.#own.update(context, renewed(lease, this.#identity, nowMs));
    } catch (error) {
      if (isNotFound(error)) await this.#own.create(context, serverLease(this.#identity, nowMs));
      // Another server of this host has renewed it meanwhile.
      else if (!isConflict(error)) throw error;
    }
  }

  async #collect(signal: AbortSignal): Promise<void> {
    const context = this.#context(signal);
    const { items } = await this.#store.list(context, {
      predicate: everything,
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continue: '',
    });
    for (const item of items) {
      const lease = item.object() as Lease;
      if (!isServerLease(lease) || !isExpired(lease, this.#clock.now())) continue;
      const { resourceVersion = '', name = '' } = lease.metadata ?? {};
      log.info('removing the lease of a server that is gone', { name });
      // Renewed meanwhile: then it is none of ours to remove.
      await this.#store
        .delete(context, name, () => undefined, { dryRun: false, preconditions: { resourceVersion } })
        .catch((error: unknown) => {
          if (!isNotFound(error) && !isConflict(error)) throw error;
        });
    }
  }

  async #read(context: RESTContext, name: string): Promise<Lease> {
    return (await this.#store.get(context, name, { resourceVersion: '' })).object() as Lease;
  }

  #context(signal?: AbortSignal): RESTContext {
    return internalContext({
      groupResource: { group: 'coordination.k8s.io', resource: 'leases' },
      namespace: serverLeaseNamespace,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

function warn(error: unknown): void {
  log.warning('the lease of this server cannot be kept', {
    err: messageOf(error),
  });
}
