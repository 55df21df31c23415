import type { MetricRegistry } from '@kubechain/shared-storage/metrics';

/** Who wants to know that work has come from outside. */
export interface WorkObserver {
  /** Called before the work, which may take any time. */
  attend(): void;
}

/** Watches over the event loop of the thread that has it. */
export interface LoopWatchdog extends WorkObserver {
  /** Makes what it counts part of /metrics. */
  register(registry: MetricRegistry): void;
  /** Begins to watch from the next work on. It does not keep the process. */
  start(): void;
  stop(): Promise<void>;
}
