import { LaunchError } from '../launch-error.ts';

/** A process that is not ready, and the last that is known of it; nothing: ''. */
export interface Unready {
  readonly name: string;
  readonly reason: string;
}

export interface ReadyWaitOptions {
  /** Settled when all are ready, or one cannot be. */
  readonly ready: Promise<unknown>;
  /** 0: as long as it takes. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Who is missing still. */
  readonly unready: () => Promise<readonly Unready[]>;
  /** Told from time to time who is missing. */
  readonly onUnready: (unready: Unready, afterMs: number) => void;
  /** Between two times. Default 15,000. */
  readonly noticeMs?: number;
  /** Where the processes' logs are. */
  readonly logs: string;
}

const NOTICE_MS = 15_000;
/** More than a timer takes: nobody waits for three weeks. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits for processes that start. @throws LaunchError `Timeout` with who was not ready and why, `Process` */
export async function waitUntilReady(options: ReadyWaitOptions): Promise<void> {
  const { logs, noticeMs = NOTICE_MS, onUnready, ready, signal, timeoutMs, unready } = options;
  const startedAt = performance.now();
  const ended = Promise.withResolvers<never>();
  const stop = (): void => {
    ended.reject(new LaunchError('Process', 'stopped before it was ready'));
  };
  const giveUp = async (): Promise<void> => {
    ended.reject(new LaunchError('Timeout', timeoutText(await unready(), { timeoutMs, logs })));
  };
  const tell = async (): Promise<void> => {
    for (const one of await unready()) onUnready(one, performance.now() - startedAt);
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const notices = setInterval(() => void tell(), noticeMs);
  const timer = timeoutMs === 0 ? undefined : setTimeout(() => void giveUp(), Math.min(timeoutMs, LONGEST_MS));
  try {
    await Promise.race([ready, ended.promise]);
  } finally {
    clearInterval(notices);
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** In one line, with what to do. */
function timeoutText(unready: readonly Unready[], { timeoutMs, logs }: { timeoutMs: number; logs: string }): string {
  const names = unready.map(({ name }) => name).join(', ');
  const reasons = unready.filter(({ reason }) => reason !== '').map(({ name, reason }) => `${name}: ${reason}`);
  return [
    `${names} not ready after ${timeoutMs / 1000} s (--ready-timeout, 0 to wait as long as it takes)`,
    ...reasons,
    `see ${logs}`,
  ].join('; ');
}
