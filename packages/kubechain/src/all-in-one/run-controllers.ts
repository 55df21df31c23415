import { knownFlags, parseFlags } from '@kubechain/apiserver/options';
import { flagSets, run } from '@kubechain/controllers/server';
import { controllersDefaults } from '../chain/chain-plan.ts';
import { flagsFor, type GivenFlag } from '../chain/route-flags.ts';
import type { DataDir } from '../data-dir/data-dir.ts';
import type { PKI } from '../pki/pki.ts';
import type { RunningServer } from './run-server.ts';

/** The flags that controllers understand, for those who take a command line apart. */
export const controllersFlags = { flags: knownFlags(flagSets) };

/** What controllers are run with. */
export interface RunControllersOptions {
  readonly dir: DataDir;
  readonly pki: PKI;
  /** Which: in the words of `--controllers`. */
  readonly controllers: string;
  readonly given: readonly GivenFlag[];
}

/** Runs controllers on this event loop: clients of the cluster over its port, as in a process of their own. */
export function runControllers({ controllers, dir, given, pki }: RunControllersOptions): RunningServer {
  const defaults = controllersDefaults({ dir, pki, controllers });
  const { values } = parseFlags(flagsFor(controllersFlags, defaults, given), flagSets);
  const stop = new AbortController();
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  const ready = (): void => {
    resolve();
  };
  const ended = run({ values, given: new Set(), help: false }, { signal: stop.signal, flags: new Map(), ready });
  ended.then(() => {
    reject(new TypeError('the controllers ended before they had started'));
  }, reject);
  // Whoever waits for the other one hears of it.
  started.catch(() => undefined);
  return {
    started,
    ended,
    stop: async () => {
      stop.abort();
      await ended.catch(() => undefined);
    },
  };
}
