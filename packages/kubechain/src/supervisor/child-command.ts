/** One process to run. */
export interface ChildCommand {
  readonly name: string;
  /** File that Node runs. */
  readonly main: string;
  readonly args: readonly string[];
  /** File that is loaded before it and ends it with its parent. Default: the source of child-guard. */
  readonly guard?: string;
  /** Flags for Node itself, e.g. `--inspect=127.0.0.1:9229`. */
  readonly nodeArgs?: readonly string[];
  /** Everything it writes goes here. */
  readonly logFile: string;
  /** Holds its process id while it runs, for debuggers and scripts. */
  readonly pidFile: string;
  /** Further variables, asked for at each start. */
  readonly env?: () => Readonly<Record<string, string>>;
  /** Milliseconds for the watchdog of its event loop, for programs that have none of their own. */
  readonly watchdogMs?: number;
  /** `ipc`: it sends `{ kind: 'ready' }`. `stdout`: its first line of output, JSON with `endpoint`. */
  readonly readiness: 'ipc' | 'stdout';
}

/** Sent by a server over IPC when it answers requests. */
export interface ReadyMessage {
  readonly kind: 'ready';
  readonly name?: string;
  readonly url?: string;
}

export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === 'ready';
}

/** Whether a server says over IPC, after it is ready, that its readyz holds. */
export function isWholeMessage(message: unknown): boolean {
  return typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === 'whole';
}

/** Sent by a child's guard in answer to a ping. */
export interface PongMessage {
  readonly kind: 'pong';
  /** Whether its inspector is open: a debugger may hold it. */
  readonly debugged: boolean;
}

export function isPongMessage(message: unknown): message is PongMessage {
  return typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === 'pong';
}
