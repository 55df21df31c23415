import { backoffMs, isConflict, isNotFound, messageOf } from '@kubechain/apimachinery';
import type { KubeObject, Timer, TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { copyObject, internalContext } from '@kubechain/apiserver/resources';
import type { ServiceDirectory } from '@kubechain/apiserver/proxies';
import type { FieldManager, RESTStorage } from '@kubechain/apiserver/resources';
import type { QueueMetrics, WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import { apiServicesResource } from '../apiservice/api-service.ts';
import type { APIService, APIServiceCondition } from '../apiservice/api-service.ts';
import { localAvailability, withAvailability, type Availability } from '../apiservice/conditions.ts';
import type { RemoteService } from '../remote/remote-service.ts';
import { checkAvailability } from './check-availability.ts';

const log = new Logger('availability');

/**
 * A server that did not answer is asked again after this long, doubled each time; servers come up within moments, and
 * outages of hours need no log of them.
 */
const retryPauses = { firstMs: 5, longestMs: 30_000 };
/** Ms between two checks of a server whose objects do not change: the network may fail without any object saying so. */
const resyncMs = 30_000;

/**
 * Ms between two corrections of one APIService: aggregators that see a server differently must not keep overwriting
 * each other.
 */
const correctionMs = 200;

export interface AvailabilityControllerOptions {
  /** The status endpoint's storage of APIServices. */
  readonly status: Pick<RESTStorage, 'update'>;
  /** Whose fields a condition's are. */
  readonly fields: Pick<FieldManager, 'update'>;
  readonly services: ServiceDirectory;
  readonly clock: TimerClock;
  /** While false, failures are not written: this process may just be starting, like the network around it. */
  readonly ready: () => boolean;
  /** Counts checks as the reference counts its controllers' work queues. Default: they are not counted. */
  readonly queueMetrics?: WorkQueueMetrics | undefined;
}

interface Entry {
  readonly queue: QueueMetrics<string> | undefined;
  readonly remote: RemoteService | undefined;
  failures: number;
  /** What the last check found; undefined before the first. */
  found: Availability | undefined;
  /** What is written, as far as it was told; undefined: not yet. */
  written: readonly APIServiceCondition[] | undefined;
  /** When the last check ended, on the clock. */
  checkedAt: number;
  timer: Timer | undefined;
  /** A check is under way; `again` when something changed meanwhile. */
  running: boolean;
  again: boolean;
  readonly stop: AbortController;
}

/**
 * Keeps the Available condition of APIServices: of remote ones by asking their servers, of local ones by saying so
 * (kube-aggregator's remote and local AvailableConditionController, 1.36). One check at a time for each APIService.
 */
export class AvailabilityController {
  readonly #options: AvailabilityControllerOptions;
  readonly #entries = new Map<string, Entry>();
  /** `namespace/name` of a service → APIServices behind it. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #queues: Readonly<Record<'local' | 'remote', QueueMetrics<string> | undefined>>;
  #stopped = false;

  constructor(options: AvailabilityControllerOptions) {
    this.#options = options;
    this.#queues = {
      local: options.queueMetrics?.queue('LocalAvailabilityController'),
      remote: options.queueMetrics?.queue('RemoteAvailabilityController'),
    };
  }

  /** Follows an APIService from now on; an earlier one of the same name is forgotten. `remote` undefined: local. */
  set(name: string, remote: RemoteService | undefined): void {
    this.delete(name);
    const entry: Entry = {
      queue: this.#queues[remote === undefined ? 'local' : 'remote'],
      remote,
      failures: 0,
      found: undefined,
      written: undefined,
      checkedAt: 0,
      timer: undefined,
      running: false,
      again: false,
      stop: new AbortController(),
    };
    this.#entries.set(name, entry);
    const service = remote === undefined ? undefined : serviceKey(remote);
    if (service !== undefined) {
      let dependents = this.#dependents.get(service);
      if (dependents === undefined) this.#dependents.set(service, (dependents = new Set()));
      dependents.add(name);
    }
    this.#schedule(name, entry, 0);
  }

  delete(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.timer?.cancel();
    entry.stop.abort();
    this.#entries.delete(name);
    if (entry.remote === undefined) return;
    const service = serviceKey(entry.remote);
    const dependents = this.#dependents.get(service);
    if (dependents?.delete(name) === true && dependents.size === 0) this.#dependents.delete(service);
  }

  /** A service or its endpoints changed: APIServices that depend on it are checked again at once. */
  serviceChanged(service: string): void {
    for (const name of this.#dependents.get(service) ?? []) {
      const entry = this.#entries.get(name);
      if (entry !== undefined) this.#schedule(name, entry, 0);
    }
  }

  /**
   * An APIService was written. If its condition is not what the last check found, somebody else wrote it, and it is
   * checked again.
   */
  conditionsChanged(name: string, conditions: readonly APIServiceCondition[]): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.written = conditions;
    if (entry.found === undefined || entry.running || says(conditions, entry.found)) return;
    const leftMs = entry.checkedAt + correctionMs - this.#options.clock.now();
    // A clock that was set back meanwhile must not postpone the check.
    this.#schedule(name, entry, Math.min(correctionMs, Math.max(0, leftMs)));
  }

  stop(): void {
    this.#stopped = true;
    for (const name of this.#entries.keys()) this.delete(name);
  }

  #schedule(name: string, entry: Entry, delayMs: number): void {
    entry.timer?.cancel();
    if (this.#stopped || entry.stop.signal.aborted) return;
    entry.timer = this.#options.clock.setTimer(() => {
      void this.#run(name, entry);
    }, delayMs);
  }

  async #run(name: string, entry: Entry): Promise<void> {
    if (entry.running) {
      entry.again = true;
      return;
    }
    entry.running = true;
    entry.queue?.added(name);
    entry.queue?.taken(name);
    let nextMs: number | undefined = entry.remote === undefined ? undefined : resyncMs;
    try {
      if (await this.#check(name, entry)) entry.failures = 0;
      else nextMs = this.#retryMs(entry);
    } catch (error) {
      if (!entry.stop.signal.aborted && !isNotFound(error)) {
        nextMs = this.#retryMs(entry);
        if (!isConflict(error))
          log.warning('availability of an APIService cannot be kept', {
            name,
            err: messageOf(error),
          });
      }
    } finally {
      entry.running = false;
      entry.queue?.done(name);
    }
    if (entry.again) {
      entry.again = false;
      nextMs = 0;
    }
    if (nextMs !== undefined) this.#schedule(name, entry, nextMs);
  }

  #retryMs(entry: Entry): number {
    entry.queue?.retried();
    return backoffMs(entry.failures++, retryPauses);
  }

  /** False when the check must be repeated soon. */
  async #check(name: string, entry: Entry): Promise<boolean> {
    const {
      remote,
      stop: { signal },
    } = entry;
    if (remote === undefined) {
      await this.#write(name, localAvailability, signal);
      return true;
    }
    await this.#options.services.follow(signal);
    const result = await checkAvailability(remote, this.#options.services, signal);
    if (signal.aborted) return true;
    if (result === undefined) return false;
    if (result.retry && !this.#options.ready()) return false;
    entry.found = result.availability;
    entry.checkedAt = this.#options.clock.now();
    // Who writes something else meanwhile is told of, and has it checked again.
    if (entry.written === undefined || !says(entry.written, result.availability)) {
      // Until it is told what is written now: the next check may come first, and find what was written before.
      entry.written = undefined;
      await this.#write(name, result.availability, signal);
    }
    return !result.retry;
  }

  async #write(name: string, availability: Availability, signal: AbortSignal): Promise<void> {
    const now = `${new Date(this.#options.clock.now()).toISOString().slice(0, 19)}Z`;
    const change = (object: KubeObject): KubeObject | Promise<KubeObject> => {
      const service = object as APIService;
      const isLocal = service.spec.service === undefined;
      // The spec may have changed since the check; whoever follows the change looks again.
      if (isLocal !== (availability.reason === localAvailability.reason)) return object;
      const conditions = withAvailability(service.status?.conditions ?? [], availability, now);
      if (conditions === undefined) return object;
      const changed = copyObject(object) as APIService;
      changed.status = { ...service.status, conditions };
      return this.#options.fields.update(object, changed, 'kube-apiserver');
    };
    await this.#options.status.update?.(
      internalContext({ groupResource: apiServicesResource, signal }),
      name,
      { preconditions: undefined, updatedObject: (_context, old) => change(old) },
      {
        dryRun: false,
        fieldManager: '',
        fieldValidation: 'Ignore',
        forceAllowCreate: false,
        validateCreate: () => undefined,
        validateUpdate: () => undefined,
      },
    );
  }
}

function says(conditions: readonly APIServiceCondition[], found: Availability): boolean {
  return withAvailability(conditions, found, '') === undefined;
}

function serviceKey({ spec }: RemoteService): string {
  return `${spec.service?.namespace ?? ''}/${spec.service?.name ?? ''}`;
}
