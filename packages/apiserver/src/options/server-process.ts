import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import {
  messageOf,
  seededRandomness,
  seedOf,
  systemClock,
  systemRandomness,
  type Randomness,
  type TimerClock,
} from '@kubechain/apimachinery';
import { followMoves } from '@kubechain/apimachinery/movable-clock';
import { configureLogging, Logger } from '../logging/logger.ts';
import { loggingFromFlags } from './logging-from-flags.ts';
import { effectiveFlags } from './effective-flags.ts';
import type { FlagSet, FlagValues } from './flag-set.ts';
import { Launcher } from './ask-launcher.ts';
import { clockMoverOf, type ClockMover } from './clock-mover.ts';
import { helpText } from './help-text.ts';
import { OptionsError } from './options-error.ts';
import { parseFlags, type ParsedFlags } from './parse-flags.ts';
import { programOfProcess, sideSocketOfThread, type SideProgram } from './side-program.ts';
import { tenantStarterOf } from './tenant-starter.ts';
import type { loggingFlags } from './process-flags.ts';

/** What a server process tells the one that started it. */
export interface ReadyInfo {
  /** `https://host:port` of the secure port; undefined when there is none. */
  readonly url?: string | undefined;
  /** Resolves when readyz holds, where that is later. */
  readonly whole?: Promise<void>;
}

/** How the body of a process talks to its surroundings. */
export interface ProcessHandle {
  /** Aborts on SIGTERM or SIGINT: stop gracefully, then resolve. A second signal ends the process at once. */
  readonly signal: AbortSignal;
  /** Tells names and values of all flags, defaults included, for /flagz. */
  readonly flags: () => ReadonlyMap<string, string>;
  /** The process's: the machine's, unless the one that started it moves it. */
  readonly clock: TimerClock;
  /** The machine's, unless the one that started the process has a seed. */
  readonly randomness: Randomness;
  /** Moves the clocks of all processes that belong together; absent where they cannot be moved. */
  readonly clockMover?: ClockMover;
  /** Resolves when the process of the tenants runs; absent where there is nobody to start it. */
  readonly startTenants?: () => Promise<void>;
  /** What a thread can run once more, as a side server; absent where there is to be none. */
  readonly sideProgram?: SideProgram | undefined;
  /** The process runs already, and this is its side server, which listens there and nowhere else. */
  readonly sideSocket?: string | undefined;
  /**
   * Says that requests are answered: a line `serving on …` on stdout, and `{ kind: 'ready', name, url }` over IPC when
   * there is a parent that listens; later `{ kind: 'whole', name }`, which is that readyz holds.
   */
  ready(info: ReadyInfo): void;
}

/** One runnable server. */
export interface ServerProcess<S extends Readonly<Record<string, FlagSet>>> {
  /** Program name for help, e.g. `kube-apiserver`. */
  readonly name: string;
  /** One or two sentences for help. */
  readonly description: string;
  /** Must have `logging: loggingFlags` for -v to work. */
  readonly flagSets: S;
  /**
   * The server itself; imports what is heavy when it is called, so that `--help` need not. Resolves when all is closed.
   */
  run(flags: ParsedFlags<S>, handle: ProcessHandle): Promise<void>;
}

const log = new Logger('process');

/**
 * The main function of a server process; never throws. Flags are read first: `--help` prints and exits with 0, a flag
 * that is wrong gives one line `Error: …` and exit 1, and so does everything that stops the server from starting
 * (OptionsError). Other errors are logged with their stack, and exit 1 as well. A graceful end is exit 0.
 */
export async function runServerProcess<const S extends Readonly<Record<string, FlagSet>>>(
  server: ServerProcess<S>,
): Promise<void> {
  // Not in Node's own place, the system's temporary folder, where others may put what is run then.
  enableCompileCache(process.env['NODE_COMPILE_CACHE'] ?? join(homedir(), '.cache/kubechain/compiled'));
  let flags: ParsedFlags<S>;
  try {
    flags = parseFlags(process.argv.slice(2), server.flagSets);
  } catch (error) {
    fail(error);
    return;
  }
  if (flags.help) {
    process.stdout.write(
      helpText(server.name, server.description, {
        sets: server.flagSets,
        ...(process.stdout.columns === undefined ? {} : { columns: process.stdout.columns }),
      }),
    );
    return;
  }
  if (flags.version !== undefined) {
    const { versionText } = await import('./version-text.ts');
    process.stdout.write(versionText(flags.version));
    return;
  }
  applyLogging(flags.values);
  // A request that goes wrong must not take the others with it; whoever waits for the promise would have handled it.
  process.on('unhandledRejection', (reason) => {
    log.error('unhandled rejection', reason instanceof Error ? (reason.stack ?? reason) : reason);
  });
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  }
  const movable = followMoves(process);
  const seed = seedOf(process.env);
  const launcher = movable === undefined ? undefined : new Launcher(process);
  const sideSocket = sideSocketOfThread();
  try {
    await server.run(flags, {
      signal: stop.signal,
      clock: movable ?? systemClock,
      randomness: seed === undefined ? systemRandomness : seededRandomness(seed, server.name),
      ...(launcher === undefined
        ? {}
        : { clockMover: clockMoverOf(launcher), startTenants: tenantStarterOf(launcher) }),
      sideSocket,
      // What is moved, or to be repeated, is one server's.
      sideProgram: movable === undefined && seed === undefined ? programOfProcess() : undefined,
      flags: () => effectiveFlags(server.flagSets, flags.values),
      ready: (info) => {
        if (sideSocket === undefined) tellReady(server.name, info);
        else parentPort?.postMessage('ready');
      },
    });
  } catch (error) {
    fail(error);
    return;
  }
  // Handles that libraries keep open (idle sockets, timers) must not keep a process that is done.
  process.exit(0);
}

function applyLogging(values: Readonly<Record<string, unknown>>): void {
  const logging = values['logging'] as FlagValues<typeof loggingFlags> | undefined;
  if (logging !== undefined) configureLogging(loggingFromFlags(logging));
}

function tellReady(name: string, { url, whole }: ReadyInfo): void {
  process.stdout.write(url === undefined ? 'serving\n' : `serving on ${url}\n`);
  process.send?.({ kind: 'ready', name, url });
  void whole?.then(() => process.send?.({ kind: 'whole', name }));
  if (!log.enabled(2)) return;
  const { user, system } = process.cpuUsage();
  log.info(
    'ready',
    {
      afterMs: Math.round(performance.now()),
      cpuMs: Math.round((user + system) / 1000),
      rssMB: Math.round(process.memoryUsage.rss() / 1e6),
    },
    2,
  );
}

/** One line on stderr, and exit 1. */
function fail(error: unknown): void {
  if (!(error instanceof OptionsError))
    log.error('the server failed', error instanceof Error ? (error.stack ?? error) : error);
  process.stderr.write(`Error: ${messageOf(error).replaceAll('\n', ' ')}\n`, () => {
    process.exit(1);
  });
}
