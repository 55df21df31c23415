import { formatMicroTime, isAlreadyExists, parseTime } from '@kubechain/apimachinery';
import type { Timer, TimerClock } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { Logger } from '@kubechain/apiserver/logging';
import { ObjectInformer, OwnWrites, internalContext } from '@kubechain/apiserver/resources';
import type { RESTContext, Store } from '@kubechain/apiserver/resources';
import type { LeaseCandidate } from '../../registry/coordination/leasecandidate/lease-candidate.ts';
import { electedLease, newLease } from './elected-lease.ts';
import { electionStep, isCandidateExpired } from './election.ts';
import type { ElectionStep } from './election.ts';
import { OwnLeases } from './own-leases.ts';

const log = new Logger('leader-election');
/** After how long a lease is looked at again, whatever happens: nobody tells that it was not renewed. */
const againMs = 5_000;

export interface ElectionsOptions {
  readonly leases: Store;
  readonly candidates: Store;
  readonly clock: TimerClock;
  readonly onError: (error: unknown) => void;
}

/**
 * Gives leases to the best of their candidates (leader-election-controller of the reference,
 * pkg/controlplane/controller/leaderelection, 1.36): asks who is there, and writes what was chosen. What it knows is in
 * leases and candidates alone; one server of a cluster does it at a time.
 */
export class Elections {
  readonly #options: ElectionsOptions;
  readonly #leases: ObjectInformer<Lease>;
  readonly #candidates: ObjectInformer<LeaseCandidate>;
  readonly #ownLeases: OwnLeases;
  readonly #ownCandidates: OwnWrites;
  /** When a lease (`namespace/name`) is looked at next. */
  readonly #next = new Map<string, { readonly dueMs: number; readonly timer: Timer }>();
  #work: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: ElectionsOptions) {
    this.#options = options;
    const { candidates, clock, leases, onError } = options;
    const followed = ({ storage, keyRoot, informerEnds }: Store) => ({
      storage,
      keyRoot,
      informerEnds,
      clock,
      onError,
    });
    this.#leases = new ObjectInformer({ ...followed(leases), transform: (record) => record.object() as Lease });
    this.#candidates = new ObjectInformer({
      ...followed(candidates),
      transform: (record) => record.object() as LeaseCandidate,
    });
    this.#ownLeases = new OwnLeases(leases, clock);
    this.#ownCandidates = new OwnWrites(candidates, { scheme: candidates.spec.scheme, clock });
    this.#leases.onChange(({ key }) => this.#lookAt(key, 0));
    this.#candidates.onChange((change) => {
      const candidate = change.kind === 'set' ? change.value : change.previous;
      if (!isAsked(candidate)) this.#lookAt(leaseKeyOf(candidate), 0);
    });
  }

  /** Begins to look at leases; returns at once. */
  start(): void {
    this.#leases.start();
    this.#candidates.start();
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { timer } of this.#next.values()) timer.cancel();
    this.#next.clear();
    this.#leases.stop();
    this.#candidates.stop();
    await this.#work;
  }

  /** Deletes candidates that have not been heard of for long. */
  async collect(): Promise<void> {
    const { candidates, clock, onError } = this.#options;
    for (const candidate of this.#candidates.values()) {
      if (!isCandidateExpired(candidate, clock.now())) continue;
      const { name = '', namespace, resourceVersion = '' } = candidate.metadata ?? {};
      // Renewed meanwhile, or gone: both is well.
      await candidates
        .delete(this.#context('leasecandidates', namespace), name, () => undefined, {
          dryRun: false,
          preconditions: { resourceVersion },
        })
        .catch(onError);
    }
  }

  #lookAt(key: string, delayMs: number): void {
    if (this.#stopped || (delayMs === 0 && this.#candidatesFor(key).length === 0)) return;
    const { clock, onError } = this.#options;
    const dueMs = clock.now() + delayMs;
    const known = this.#next.get(key);
    if (known !== undefined && known.dueMs <= dueMs) return;
    known?.timer.cancel();
    const timer = clock.setTimer(() => {
      this.#next.delete(key);
      this.#work = this.#work.then(() => this.#step(key)).catch(onError);
    }, delayMs);
    this.#next.set(key, { dueMs, timer });
  }

  async #step(key: string): Promise<void> {
    const { clock } = this.#options;
    const synced = this.#leases.hasSynced && this.#candidates.hasSynced;
    const candidates = this.#candidatesFor(key).filter((one) => !isCandidateExpired(one, clock.now()));
    if (this.#stopped || (synced && candidates.length === 0)) return;
    if (!synced) return this.#lookAt(key, againMs);
    const step = electionStep(this.#leases.get(key), candidates, clock.now());
    switch (step.kind) {
      case 'asking':
        await Promise.all(step.ask.map((candidate) => this.#ask(candidate))).finally(() => this.#lookAt(key, againMs));
        return;
      case 'elect':
        await this.#elect(key, step);
        break;
      case 'failed':
        log.warning('no leader can be chosen', { lease: key, reason: step.reason });
        break;
      case 'settled':
    }
    this.#lookAt(key, againMs);
  }

  async #ask(candidate: LeaseCandidate): Promise<void> {
    const pingTime = formatMicroTime(this.#options.clock.now());
    await this.#ownCandidates.update(
      this.#context('leasecandidates', candidate.metadata?.namespace),
      structuredClone({ ...candidate, spec: { ...candidate.spec, pingTime } }),
    );
  }

  async #elect(key: string, election: Extract<ElectionStep, { kind: 'elect' }>): Promise<void> {
    const { clock } = this.#options;
    const [namespace = '', name = ''] = key.split('/');
    try {
      await this.#ownLeases.create(newLease(election, { namespace, name, nowMs: clock.now() }));
      log.info('created a lease', { lease: key, holder: election.holder ?? '' });
      return;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const changed = electedLease(await this.#ownLeases.get({ namespace, name }), election, clock.now());
    if (changed === undefined) return;
    await this.#ownLeases.update(structuredClone(changed));
    const { holderIdentity = '', preferredHolder = '' } = changed.spec ?? {};
    log.info('changed a lease', { lease: key, holder: holderIdentity, preferred: preferredHolder });
  }

  #candidatesFor(key: string): readonly LeaseCandidate[] {
    return [...this.#candidates.values()].filter((candidate) => leaseKeyOf(candidate) === key);
  }

  #context(resource: string, namespace = ''): RESTContext {
    return internalContext({ groupResource: { group: 'coordination.k8s.io', resource }, namespace });
  }
}

function leaseKeyOf({ metadata, spec }: LeaseCandidate): string {
  return `${metadata?.namespace ?? ''}/${spec?.leaseName ?? ''}`;
}

/** A candidate that was asked and has not answered yet: there is an election already. */
function isAsked({ spec }: LeaseCandidate): boolean {
  const { pingTime, renewTime } = spec ?? {};
  return pingTime !== undefined && renewTime !== undefined && parseTime(renewTime) < parseTime(pingTime);
}
