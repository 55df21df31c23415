import type { Randomness, TimerClock } from '@kubechain/apimachinery';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';
import {
  restoreSnapshot,
  takeSnapshot,
  writeAnew,
  type RestoreResult,
  type Snapshot,
} from '@kubechain/shared-storage/snapshots';
import type { ClockMover } from '../options/clock-mover.ts';
import type { PeerFaults } from '../peers/peer-faults.ts';
import type { WebhookCallBoard } from '../peers/webhook-calls.ts';
import type { Filter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import { faultFilter } from './fault-filter.ts';
import { seeds, type FaultScenario } from './fault-scenario.ts';
import { FaultScenarios, type AppliedScenario } from './fault-scenarios.ts';
import { FaultRuleError, type FaultRule } from './fault-rule.ts';
import { FaultSet } from './fault-set.ts';
import { PeerFaultFollowers } from './peer-fault-followers.ts';
import { Journal } from './journal.ts';
import { OpenWatches, type WatchState } from './open-watches.ts';
import { quietRevision } from './quiet-revision.ts';
import type { TenantKeeper } from './tenant-keeper.ts';
import { storedHistory, storedKeys, storedVersion } from './store-browser.ts';

/** No snapshot has this name. */
export class UnknownSnapshotError extends Error {
  override readonly name = 'UnknownSnapshotError';
}

/** The revision from which a chain with a seed begins: more than any has at its begin. */
const settledRevision = 2_000;

/** What the control API works on: everything of one chain that only tests may touch. */
export class Control {
  readonly faults: FaultSet;
  readonly scenarios: FaultScenarios;
  readonly journal: Journal;
  /** Processes that ask here which faults their calls meet. */
  readonly followers: PeerFaultFollowers;
  readonly certificateCanExpire: boolean;
  readonly serviceAccountKey: () => string | undefined;
  /** Absent where clocks cannot be moved. */
  readonly clock: ClockMover | undefined;
  /** Absent where there can be none. */
  readonly tenants: TenantKeeper | undefined;
  readonly #client: EtcdClient;
  readonly #watches: OpenWatches;
  readonly #snapshots = new Map<string, Snapshot>();
  /** Requests wait for it while the store is being changed under them. */
  #held: Promise<unknown> | undefined = undefined;
  readonly #fault: Filter;
  readonly #random: () => number;

  constructor(options: {
    readonly clock: TimerClock;
    /** Seeds that nobody gave. */
    readonly randomness: Randomness;
    readonly client: EtcdClient;
    readonly clockMover?: ClockMover | undefined;
    readonly tenants?: TenantKeeper | undefined;
    /** Of this process. */
    readonly peerFaults?: PeerFaults | undefined;
    /** Whether other processes follow the faults of their calls from here. */
    readonly followed?: boolean;
    /** Calls of webhooks of this process. */
    readonly webhookCalls?: WebhookCallBoard | undefined;
    /** Makes the secure port show a certificate that has expired, or no longer; absent where there is none. */
    readonly showExpiredCertificate?: ((shown: boolean) => void) | undefined;
    /** What service account tokens are signed with, PEM; absent where nobody knows. */
    readonly serviceAccountKey?: () => string | undefined;
    /** What `reset` goes back to, where it is known before. */
    readonly start?: Snapshot | undefined;
  }) {
    if (options.start !== undefined) this.#snapshots.set('start', options.start);
    this.clock = options.clockMover;
    this.serviceAccountKey = options.serviceAccountKey ?? (() => undefined);
    this.certificateCanExpire = options.showExpiredCertificate !== undefined;
    this.tenants = options.tenants;
    this.followers = new PeerFaultFollowers(() => this.faults.peerKinds(), options.followed ?? false);
    this.faults = new FaultSet(options.clock, {
      watchesMeet: () => this.#watches.meetFaults(),
      revision: async () => (await options.client.status()).revision,
      certificateMeets: () => options.showExpiredCertificate?.(this.faults.certificateIsExpired),
      peersMeet: () => {
        options.peerFaults?.change(this.faults.peerKinds(), (call) => Promise.resolve(this.faults.takePeer(call)));
        this.followers.changed();
      },
    });
    this.#watches = new OpenWatches(this.faults);
    this.#fault = faultFilter(this.faults, (revision) => remembers(options.client, revision));
    this.scenarios = new FaultScenarios({
      clock: options.clock,
      faults: this.faults,
      expireWatches: () => void this.expireWatches(),
    });
    this.#random = options.randomness.random;
    this.journal = new Journal({ timed: options.randomness.repeatable === undefined });
    options.webhookCalls?.listen((call) => this.journal.noteWebhook(call));
    this.#client = options.client;
  }

  /** Stands behind authentication and authorization: holds requests back, lets faults happen, knows open watches. */
  readonly filter: Filter = (request, response, next) => {
    const context = serverContext(request);
    this.journal.bodies.begin(context);
    if (context.requestInfo.verb === 'watch') this.#watches.add(context);
    if (this.#held === undefined) {
      this.#fault(request, response, next);
      return;
    }
    void this.#held.then(() => {
      if (!context.ended) this.filter(request, response, next);
    });
  };

  /** Whether a fault can happen here. @throws FaultRuleError when it cannot */
  checkFault({ effect, target }: FaultRule): void {
    if (target === 'certificate' && effect.kind === 'expired' && !this.certificateCanExpire)
      throw new FaultRuleError('the serving certificate can expire where kubechain has made it, and not in tenants');
  }

  /** Begins a scenario, by its seed or one that is drawn. */
  applyScenario(scenario: FaultScenario): AppliedScenario {
    for (const step of scenario.steps) if (step.kind === 'fault') this.checkFault(step.rule);
    return this.scenarios.apply(scenario, scenario.seed ?? Math.floor(this.#random() * seeds));
  }

  /** Ends all watches as if their resourceVersion had been compacted; answers how many. */
  expireWatches(): number {
    return this.#watches.expire();
  }

  /** Every watch that is being answered. */
  openWatches(): WatchState[] {
    return this.#watches.list();
  }

  storedKeys(page: Parameters<typeof storedKeys>[1]): ReturnType<typeof storedKeys> {
    return storedKeys(this.#client, page);
  }

  storedVersion(key: string, revision: number): ReturnType<typeof storedVersion> {
    return storedVersion(this.#client, key, revision);
  }

  storedHistory(key: string): ReturnType<typeof storedHistory> {
    return storedHistory(this.#client, key);
  }

  snapshotNames(): string[] {
    return [...this.#snapshots.keys()].sort();
  }

  /** Keeps what the store holds now, under a name. */
  async save(name: string): Promise<Snapshot> {
    const snapshot = await takeSnapshot(this.#client);
    this.#snapshots.set(name, snapshot);
    return snapshot;
  }

  /** @throws UnknownSnapshotError */
  snapshot(name: string): Snapshot {
    const snapshot = this.#snapshots.get(name);
    if (snapshot === undefined) throw new UnknownSnapshotError(`there is no snapshot ${JSON.stringify(name)}`);
    return snapshot;
  }

  remove(name: string): boolean {
    return this.#snapshots.delete(name);
  }

  /**
   * Makes the store hold what a snapshot says. Requests that come meanwhile wait; when it is done, all watches end with
   * 410, so that informers list again.
   */
  async restore(snapshot: Snapshot): Promise<RestoreResult> {
    return this.#holdingRequests(() => restoreSnapshot(this.#client, snapshot));
  }

  /**
   * Brings a chain that has begun into a state that is the same in each run: waits until nobody writes any more, then
   * writes every key anew in their order. Requests and watches as in `restore`. A store that has been in use goes on
   * from where it is. Answers the revision.
   * @throws RestlessStoreError, LaterRevisionError when somebody does not stop to write
   */
  async settle(): Promise<number> {
    const revision = await quietRevision(this.#client);
    if (revision >= settledRevision) return revision;
    return this.#holdingRequests(() => writeAnew(this.#client, settledRevision));
  }

  async #holdingRequests<T>(change: () => Promise<T>): Promise<T> {
    while (this.#held !== undefined) await this.#held;
    let release = (): void => undefined;
    this.#held = new Promise<void>((resolve) => {
      release = resolve;
    });
    try {
      return await change();
    } finally {
      this.#held = undefined;
      this.expireWatches();
      release();
    }
  }
}

/** Whether a store has not compacted what was before a revision. */
async function remembers(client: EtcdClient, revision: number): Promise<boolean> {
  try {
    await client.range({ key: '\0', limit: 1, keysOnly: true, revision });
    return true;
  } catch {
    return false;
  }
}
