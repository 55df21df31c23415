import { once } from 'node:events';
import { messageOf, systemClock } from '@kubechain/apimachinery';
import { readFlagFile } from '@kubechain/apiserver/options';
import { bundledPrograms, bundlesWanted, isCommandBundled } from '../bundle/bundled-programs.ts';
import { rebuildInBackground } from '../bundle/rebuild-in-background.ts';
import { launchAllInOne } from '../all-in-one/launch.ts';
import { startChain, type Chain } from '../chain/chain.ts';
import type { ChainOptions } from '../chain/chain-options.ts';
import { findControllersProcess, findServerProcess, SERVER_NAMES } from '../chain/server-process.ts';
import { ControlClient } from '../control/control-client.ts';
import { Snapshots } from '../control/snapshots.ts';
import { isLaunchError, LaunchError } from '../launch-error.ts';
import type { OpenedPage } from '../page/open-page.ts';
import { locateDataDir } from '../data-dir/data-dir.ts';
import { watchDisk } from '../data-dir/disk-space.ts';
import { freePort } from '../testing/free-port.ts';
import { collectAtRest, exposeGC } from '../supervisor/collect-at-rest.ts';
import { outputTo } from './output.ts';
import { progressPrinter } from './progress.ts';
import { followScriptRunner } from './script-runner.ts';
import { shellWord } from './shell-word.ts';
import { parseUpFlags } from './up-flags.ts';

/** Runs the chain until it is told to end. Resolves to the exit code. @throws LaunchError when it cannot start */
export async function up(args: readonly string[]): Promise<number> {
  const { detach, json, rest, showLogs } = readDisplayFlags(args);
  const print = (line: string): void => void (json || process.stdout.write(`${line}\n`));
  const servers = await Promise.all(SERVER_NAMES.map(findServerProcess));
  const controllers = await findControllersProcess();
  const parsed = parseUpFlags(rest, [...servers, controllers]);
  if (detach) return tellDetached(parsed.dataDir, args);
  const options = parsed.securePort === 0 ? { ...parsed, securePort: await freePort() } : parsed;
  const snapshot = options.fromSnapshot === undefined ? undefined : snapshotIn(options.fromSnapshot);
  if (snapshot !== undefined) {
    const { adoptSigningKey } = await import('../pki/adopt-signing-key.ts');
    adoptSigningKey(locateDataDir(options.dataDir).pki, snapshot);
  }
  const ending = new Ending();
  // Breakpoints are set in sources, so sources are what a debugger is given.
  const isDebugged = options.inspectPort !== undefined || options.debug !== undefined;
  const programs = isDebugged ? undefined : bundledPrograms();
  const chain = await ending
    .unlessEnded(
      options.topology === 'all-in-one'
        ? launchAllInOne(options, {
            onEvent: progressPrinter(print),
            onEnded: (error) => {
              ending.fail(error);
            },
          })
        : startChain(options, {
            servers,
            controllers,
            nowMs: Date.now(),
            signal: ending.signal,
            ...(programs === undefined ? {} : { programs }),
            onEvent: progressPrinter(print),
          }),
    )
    .catch(withWayOn);
  if (chain === undefined) return 0;
  if (options.control === true) await beginSnapshots(chain, options, snapshot);
  // Since this process began, Node's own start included: that is what the user waited for.
  const readyMs = Math.round(performance.now());
  const page = await openPageOf(chain, options);
  collectAtRest(globalThis.gc ?? exposeGC());
  if (json) {
    const facts = { url: chain.url, kubeconfig: chain.kubeconfig, dataDir: chain.dir.root, pid: process.pid, readyMs };
    process.stdout.write(`${JSON.stringify(page === undefined ? facts : { ...facts, page: page.url })}\n`);
  }
  const output = outputTo(process.stdout, json);
  // In one piece, for whoever reads it from a file that grows.
  print(
    [
      `${output.colour('green', 'ready')} in ${readyMs} ms`,
      ...(chain.url === undefined ? [] : [`  ${chain.url}`, `  export KUBECONFIG=${shellWord(chain.kubeconfig)}`]),
      ...(page === undefined ? [] : [`  ${page.url}`]),
    ].join('\n'),
  );
  watchDisk(chain.dir.root, print, { clock: systemClock, signal: ending.signal });
  for (const { name, port } of chain.inspectors) print(`  ${name.padEnd(15)} inspector on 127.0.0.1:${port}`);
  if (!isDebugged && bundlesWanted() && (programs === undefined || !isCommandBundled())) rebuildInBackground();
  const endLogs = showLogs ? await logsOf(chain) : undefined;
  try {
    return await ending.run(chain);
  } finally {
    await endLogs?.();
    page?.close();
  }
}

/** Of a port that is taken: what to do. @throws LaunchError always */
function withWayOn(error: unknown): never {
  if (!isLaunchError(error, 'Process') || !error.message.endsWith('address already in use')) throw error;
  throw new LaunchError(error.code, `${error.message}; --secure-port 0 takes a free one`, { cause: error });
}

/** @throws LaunchError */
function snapshotIn(file: string): string {
  try {
    return readFlagFile(file, 'from-snapshot').toString('utf8');
  } catch (cause) {
    throw new LaunchError('Usage', messageOf(cause), { cause });
  }
}

/**
 * Puts the state of a file in place of what is there, and keeps what `kubechain snapshot reset` goes back to: with a
 * seed, the same in each run.
 * @throws LaunchError when the file is none; the chain is ended then
 */
async function beginSnapshots(
  chain: Chain,
  { dataDir, seed }: ChainOptions,
  snapshot: string | undefined,
): Promise<void> {
  const snapshots = new Snapshots(new ControlClient(dataDir));
  try {
    if (seed !== undefined) await snapshots.settle();
    if (snapshot !== undefined) await snapshots.loadText(snapshot);
    await snapshots.begin();
  } catch (error) {
    await chain.stop();
    throw error;
  }
}

async function logsOf(chain: Chain): Promise<() => Promise<void>> {
  const { followLogs } = await import('./logs.ts');
  return followLogs(chain.dir.logs, [...chain.pids().keys()], (text) => void process.stdout.write(text));
}

/** @throws LaunchError when it cannot be served; the chain is ended then */
async function openPageOf(chain: Chain, options: ChainOptions): Promise<OpenedPage | undefined> {
  const { url } = chain;
  if (options.ui === undefined || url === undefined) return undefined;
  try {
    const { openPage } = await import('../page/open-page.ts');
    return await openPage({ ...chain, url }, options);
  } catch (error) {
    await chain.stop();
    throw error;
  }
}

interface DisplayFlags {
  readonly detach: boolean;
  readonly json: boolean;
  /** What the processes log is written to standard output, too. */
  readonly showLogs: boolean;
  /** All others, as they stand. */
  readonly rest: readonly string[];
}

/** Takes out flags of how it is shown, as far as they stand where flags may. */
function readDisplayFlags(args: readonly string[]): DisplayFlags {
  const rest: string[] = [];
  let detach = false;
  let json = false;
  let showLogs = false;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    if (argument === '--detach') detach = true;
    else if (argument === '--logs') showLogs = true;
    else if (argument === '--output' || argument.startsWith('--output=')) {
      const value = argument === '--output' ? args[++index] : argument.slice('--output='.length);
      if (value !== 'json' && value !== 'text')
        throw new LaunchError(
          'Usage',
          `invalid argument ${JSON.stringify(value ?? '')} for "--output" flag: must be json or text`,
        );
      json = value === 'json';
    } else rest.push(argument);
  }
  return { detach, json, rest, showLogs };
}

async function tellDetached(dataDir: string, args: readonly string[]): Promise<number> {
  const { upDetached } = await import('./detach.ts');
  process.stdout.write(
    await upDetached(
      dataDir,
      args.filter((argument) => argument !== '--detach'),
    ),
  );
  return 0;
}

/** One Ctrl-C arrives twice under npm: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;

/** Ends the chain on the first signal, at once on the second. */
class Ending {
  #firstAt: number | undefined;
  #chain: Chain | undefined;
  #failure: Error | undefined;
  readonly #asked = new AbortController();

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.#onSignal(signal));
    // A shell around us (an older Node) died: nobody could end us any more.
    process.on('disconnect', () => this.#onSignal('SIGTERM'));
    process.channel?.unref();
    // No second signal: what has been told to end goes on ending in order.
    followScriptRunner(() => {
      if (!this.signal.aborted) this.#onSignal('SIGTERM');
    });
  }

  /** What runs has ended by itself: the command ends with this error. */
  fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new LaunchError('Process', String(error));
    this.#asked.abort();
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.#asked.signal;
  }

  /** The chain, or undefined when it was told to end before it was there. */
  async unlessEnded(starting: Promise<Chain>): Promise<Chain | undefined> {
    try {
      return await starting;
    } catch (error) {
      if (this.#asked.signal.aborted) return undefined;
      throw error;
    }
  }

  async run(chain: Chain): Promise<number> {
    this.#chain = chain;
    if (!this.#asked.signal.aborted) await once(this.#asked.signal, 'abort');
    await chain.stop();
    if (this.#failure !== undefined) throw this.#failure;
    return 0;
  }

  #onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (this.#firstAt === undefined) {
      this.#firstAt = now;
      this.#asked.abort();
      return;
    }
    if (now - this.#firstAt < SAME_SIGNAL_MS) return;
    this.#chain?.kill();
    // Children that are still starting see that this process is gone, and end.
    process.exit(signal === 'SIGINT' ? 130 : 143);
  }
}
