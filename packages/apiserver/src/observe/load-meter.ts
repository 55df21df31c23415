import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { CacheExtent } from '@kubechain/shared-storage/factory';
import type { DelegationTarget } from '../server/delegation-target.ts';
import { latencyBoundsMs, type LoadMessage } from './messages.ts';

/** How often the event loop's delay is looked at; it is part of what is measured. */
const resolutionMs = 20;

/** What of a process is told beside its load. */
export interface Surroundings {
  /** How much the watch caches hold. */
  readonly caches: () => CacheExtent;
  /** The next process. */
  readonly delegate?: Pick<DelegationTarget, 'describe'> | undefined;
}

/** Measures a process between `start` and `stop`: what it uses, and how many requests end. */
export class LoadMeter {
  readonly #surroundings: Surroundings;
  #delay: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #loop = performance.eventLoopUtilization();
  #processor = process.cpuUsage();
  #atMs = 0;
  #ended: Record<string, number> = {};
  #failed = 0;
  #broken = 0;
  #untold = 0;
  #latencies = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0);

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  start(): void {
    this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delay.enable();
    this.#loop = performance.eventLoopUtilization();
    this.#processor = process.cpuUsage();
    this.#atMs = performance.now();
    this.#forget();
  }

  stop(): void {
    this.#delay?.disable();
    this.#delay = undefined;
  }

  /** A request has ended. Long-running ones have no duration. */
  ended(
    verb: string,
    {
      code,
      durationMs,
      told,
    }: { readonly code: number; readonly durationMs: number | undefined; readonly told: boolean },
  ): void {
    this.#ended[verb] = (this.#ended[verb] ?? 0) + 1;
    if (code >= 400) this.#failed++;
    if (code >= 500) this.#broken++;
    if (!told) this.#untold++;
    if (durationMs === undefined) return;
    let bucket = 0;
    while (bucket < latencyBoundsMs.length && durationMs > latencyBoundsMs[bucket]!) bucket++;
    this.#latencies[bucket]!++;
  }

  /** What has been since it was taken the last time. */
  take(): LoadMessage {
    const loop = performance.eventLoopUtilization();
    const processor = process.cpuUsage(this.#processor);
    const nowMs = performance.now();
    const { external, heapUsed, rss } = process.memoryUsage();
    const message: LoadMessage = {
      kind: 'load',
      pid: process.pid,
      uptimeSeconds: Math.round(process.uptime()),
      node: process.version,
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      externalBytes: external,
      processor: (processor.user + processor.system) / 1e3 / Math.max(1, nowMs - this.#atMs),
      busy: performance.eventLoopUtilization(loop, this.#loop).utilization,
      delayMs: this.#delays(),
      ended: this.#ended,
      failed: this.#failed,
      broken: this.#broken,
      latencies: this.#latencies,
      ...delegateOf(this.#surroundings),
      caches: this.#surroundings.caches(),
      untold: this.#untold,
    };
    this.#loop = loop;
    this.#processor = process.cpuUsage();
    this.#atMs = nowMs;
    this.#delay?.reset();
    this.#forget();
    return message;
  }

  #delays(): LoadMessage['delayMs'] {
    const delay = this.#delay;
    if (delay === undefined || delay.count === 0) return [0, 0, 0];
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    return [late(delay.percentile(50)), late(delay.percentile(99)), late(delay.max)];
  }

  #forget(): void {
    this.#ended = {};
    this.#failed = 0;
    this.#broken = 0;
    this.#untold = 0;
    this.#latencies = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0);
  }
}

function delegateOf({ delegate }: Surroundings): Pick<LoadMessage, 'delegate'> {
  const state = delegate?.describe?.();
  return state === undefined ? {} : { delegate: state };
}
