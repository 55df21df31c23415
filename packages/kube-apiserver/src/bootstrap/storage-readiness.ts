import { Logger } from '@kubechain/apiserver/logging';
import type { HealthCheck } from '@kubechain/apiserver/servers';
import { messageOf, sleep, type TimerClock } from '@kubechain/apimachinery';

const log = new Logger('storage');

/** Between two looks at the store, milliseconds. */
const pauseMs = 100;

/** How long to wait for the store. */
export interface StorageReadinessOptions {
  /** --storage-initialization-timeout */
  readonly timeoutMs: number;
  readonly clock: TimerClock;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Resolves when all checks pass, or when the time is over: then the server is ready without them, and says so in its
 * log. Watch caches fill when they are first asked; the store below them is what must be there (apiserver
 * pkg/server/storage_readiness_hook.go, 1.36).
 */
export async function waitForStorage(
  checks: readonly HealthCheck[],
  { clock, signal, timeoutMs }: StorageReadinessOptions,
): Promise<void> {
  const endsAtMs = clock.now() + timeoutMs;
  while (!signal.aborted) {
    const error = await failureOf(checks, signal);
    if (error === undefined) return;
    if (clock.now() >= endsAtMs) {
      log.warning('storage is not ready in time; the server is, without it', { err: messageOf(error) });
      return;
    }
    await sleep(clock, pauseMs, signal);
  }
}

async function failureOf(checks: readonly HealthCheck[], signal: AbortSignal): Promise<unknown> {
  try {
    for (const check of checks) await check.check(signal);
    return undefined;
  } catch (error) {
    return error;
  }
}
