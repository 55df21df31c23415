import { sleep, formatMicroTime, isNotFound, type TimerClock } from '@kubechain/apimachinery';
import type { Lease, LeaseSpec } from '@kubechain/apimachinery/types/coordination/v1';

/** The leases as their holders reach them: over the API, or in the storage of the server itself. */
export interface Leases {
  /** @throws StatusError NotFound … */
  get(named: { readonly namespace: string; readonly name: string }): Promise<Lease>;
  /** @throws StatusError AlreadyExists … */
  create(lease: Lease): Promise<Lease>;
  /** The version in `lease` is a precondition. @throws StatusError Conflict … */
  update(lease: Lease): Promise<Lease>;
}

/** What an elector is made of; times in milliseconds. */
export interface LeaderElectorOptions {
  readonly leases: Leases;
  readonly clock: TimerClock;
  readonly random: () => number;
  /** The Lease, e.g. kube-system/kube-controller-manager. */
  readonly namespace: string;
  readonly name: string;
  /** Unique to this process: `host_uuid`. */
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** Told `became leader` and `stopped leading`. */
  readonly onEvent?: (what: string, lease: Lease) => void;
  readonly onError?: (error: unknown) => void;
}

const JITTER = 1.2;

/**
 * Takes turns with others of its name over a Lease, with client-go's semantics and timing (tools/leaderelection): who
 * holds it renews it each retry period; others take it when it was not renewed for its duration, as they have watched
 * by their own clock. Given back when its holder ends in order.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  /** The Lease as it was seen last, and when it was seen to change. */
  #lease: Lease | undefined;
  #observedMs = 0;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
  }

  get isLeader(): boolean {
    return this.#lease?.spec?.holderIdentity === this.#options.identity;
  }

  /** Resolves when this one leads (true), or `signal` aborts (false). */
  async acquire(signal: AbortSignal): Promise<boolean> {
    const { clock, random, retryPeriodMs, onEvent } = this.#options;
    while (!signal.aborted) {
      if (await this.#try()) {
        onEvent?.('became leader', this.#lease!);
        return true;
      }
      await sleep(clock, retryPeriodMs * (1 + random() * JITTER), signal);
    }
    return false;
  }

  /** Renews until that fails for the renew deadline (`lost`), or `signal` aborts: then gives the lease back. */
  async hold(signal: AbortSignal): Promise<'lost' | 'released'> {
    const { clock, renewDeadlineMs, retryPeriodMs, onEvent } = this.#options;
    let renewedMs = clock.now();
    while (!signal.aborted) {
      if (await this.#try()) renewedMs = clock.now();
      else if (clock.now() - renewedMs >= renewDeadlineMs) {
        onEvent?.('stopped leading', this.#lease!);
        return 'lost';
      }
      await sleep(clock, retryPeriodMs, signal);
    }
    await this.#release();
    return 'released';
  }

  async #try(): Promise<boolean> {
    try {
      return await this.#acquireOrRenew();
    } catch (error) {
      this.#options.onError?.(error);
      return false;
    }
  }

  async #acquireOrRenew(): Promise<boolean> {
    const { clock, identity, leases, namespace, name } = this.#options;
    if (this.isLeader && this.#valid()) {
      try {
        this.#observe(await leases.update({ ...this.#lease!, spec: this.#spec(this.#lease!) }));
        return true;
      } catch (error) {
        // Somebody has changed it: looked at again below.
        this.#options.onError?.(error);
      }
    }
    let found: Lease;
    try {
      found = await leases.get({ namespace, name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#observe(await leases.create({ metadata: { namespace, name }, spec: this.#spec(undefined) }));
      return true;
    }
    if (found.metadata?.resourceVersion !== this.#lease?.metadata?.resourceVersion) this.#observe(found);
    const holder = found.spec?.holderIdentity ?? '';
    if (holder !== '' && holder !== identity && clock.now() < this.#expiresMs()) return false;
    this.#observe(await leases.update({ ...found, spec: this.#spec(found) }));
    return true;
  }

  /** An orderly end: the next one need not wait. */
  async #release(): Promise<void> {
    const lease = this.#lease;
    if (!this.isLeader || lease === undefined) return;
    const now = formatMicroTime(this.#options.clock.now());
    try {
      this.#observe(
        await this.#options.leases.update({
          ...lease,
          spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now },
        }),
      );
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  #spec(before: Lease | undefined): LeaseSpec {
    const { clock, identity, leaseDurationMs } = this.#options;
    const now = formatMicroTime(clock.now());
    const mine = before?.spec?.holderIdentity === identity;
    return {
      ...before?.spec,
      holderIdentity: identity,
      leaseDurationSeconds: Math.round(leaseDurationMs / 1000),
      acquireTime: mine ? (before.spec?.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: before === undefined ? 0 : (before.spec?.leaseTransitions ?? 0) + (mine ? 0 : 1),
    };
  }

  #observe(lease: Lease): void {
    this.#lease = lease;
    this.#observedMs = this.#options.clock.now();
  }

  #expiresMs(): number {
    return this.#observedMs + (this.#lease?.spec?.leaseDurationSeconds ?? 0) * 1000;
  }

  #valid(): boolean {
    return this.#options.clock.now() < this.#expiresMs();
  }
}
