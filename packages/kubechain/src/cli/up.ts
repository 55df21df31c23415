import { once } from 'node:events';
import { relative } from 'node:path';
import { bundledPrograms, bundlesWanted } from '../bundle/bundled-programs.ts';
import { rebuildInBackground } from '../bundle/rebuild-in-background.ts';
import { launchAllInOne } from '../all-in-one/launch.ts';
import { startChain, type Chain } from '../chain/chain.ts';
import { findControllersProcess, findServerProcess, SERVER_NAMES } from '../chain/server-process.ts';
import { LaunchError } from '../launch-error.ts';
import { progressPrinter } from './progress.ts';
import { followScriptRunner } from './script-runner.ts';
import { parseUpFlags } from './up-flags.ts';

/** Runs the chain until it is told to end. Resolves to the exit code. @throws LaunchError when it cannot start */
export async function up(args: readonly string[]): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const servers = await Promise.all(SERVER_NAMES.map(findServerProcess));
  const controllers = await findControllersProcess();
  const options = parseUpFlags(args, [...servers, controllers]);
  const ending = new Ending();
  // Breakpoints are set in sources, so sources are what a debugger is given.
  const programs = options.inspectPort === undefined ? bundledPrograms() : undefined;
  const chain = await ending.unlessEnded(
    options.topology === 'all-in-one'
      ? launchAllInOne(options, (error) => {
          ending.fail(error);
        })
      : startChain(options, {
          servers,
          controllers,
          nowMs: Date.now(),
          signal: ending.signal,
          ...(programs === undefined ? {} : { programs }),
          onEvent: progressPrinter(print),
        }),
  );
  if (chain === undefined) return 0;
  // Since this process began, Node's own start included: that is what the user waited for.
  print(`ready in ${Math.round(performance.now())} ms`);
  if (chain.url !== undefined) print(`  ${chain.url}\n  export KUBECONFIG=${shortPath(chain.kubeconfig)}`);
  for (const { name, port } of chain.inspectors) print(`  ${name.padEnd(15)} inspector on 127.0.0.1:${port}`);
  if (programs === undefined && options.inspectPort === undefined && bundlesWanted()) rebuildInBackground();
  return ending.run(chain);
}

/** Relative where that is shorter to read. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
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
