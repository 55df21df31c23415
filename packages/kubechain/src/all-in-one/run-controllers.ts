import type { Randomness, TimerClock } from '@kubechain/apimachinery';
import { knownFlags, parseFlags } from '@kubechain/apiserver/options';
import { flagSets, run } from '@kubechain/controllers/server';
import { controllersDefaults } from '../chain/chain-plan.ts';
import { flagsFor, type GivenFlag } from '../chain/route-flags.ts';
import type { DataDir } from '../data-dir/data-dir.ts';
import type { PKI } from '../pki/pki.ts';
import { runPart, type RunningPart } from './run-part.ts';

/** The flags that controllers understand, for those who take a command line apart. */
export const controllersFlags = { flags: knownFlags(flagSets) };

/** What controllers are run with. */
export interface RunControllersOptions {
  readonly dir: DataDir;
  readonly pki: PKI;
  /** Which: in the words of `--controllers`. */
  readonly controllers: string;
  readonly given: readonly GivenFlag[];
  readonly clock: TimerClock;
  readonly randomness: Randomness;
}

/** Runs controllers on this event loop: clients of the cluster over its port, as in a process of their own. */
export function runControllers({
  clock,
  controllers,
  dir,
  given,
  pki,
  randomness,
}: RunControllersOptions): RunningPart {
  const defaults = controllersDefaults({ dir, pki, controllers, given });
  const { values } = parseFlags(flagsFor(controllersFlags, defaults, given), flagSets);
  return runPart('controllers', (signal, onStarted) => {
    const handle = { signal, clock, randomness, flags: () => new Map<string, string>(), ready: onStarted };
    return run({ values, given: new Set(), help: false }, handle);
  });
}
