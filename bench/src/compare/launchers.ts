import { join } from 'node:path';
import { startChain, type Contender } from './contender.ts';
import { startReference } from './reference.ts';

/** Starts a contender over what a directory has. */
export interface Launcher {
  readonly name: string;
  start(directory: string): Promise<Contender>;
}

/** The names of the chain of three processes and of the topology of one. */
export const [ours, allInOne] = ['chain', 'all-in-one'] as const;

/** Who takes part beside the chain of this checkout. */
export interface LauncherOptions {
  /** And the next ones. */
  readonly port: number;
  readonly allInOne: boolean;
  /** Another checkout. */
  readonly baseline?: string;
  /** A directory with kube-apiserver, and etcd unless that is on the PATH. */
  readonly reference?: string;
}

/** All that take part; the reference uses the certificates of a chain that was started in `directory`/chain. */
export function launchersIn(
  directory: string,
  { allInOne: withAllInOne, baseline, port, reference }: LauncherOptions,
): Launcher[] {
  const launchers: Launcher[] = [{ name: ours, start: (dataDir) => startChain(ours, { dataDir, port }) }];
  if (withAllInOne)
    launchers.push({
      name: allInOne,
      start: (dataDir) => startChain(allInOne, { dataDir, port: port + 5, allInOne: true }),
    });
  if (baseline !== undefined)
    launchers.push({
      name: 'baseline',
      start: (dataDir) => startChain('baseline', { checkout: baseline, dataDir, port: port + 1 }),
    });
  if (reference !== undefined)
    launchers.push({
      name: 'reference',
      start: (storeDir) =>
        startReference({
          programs: reference,
          dataDir: join(directory, ours),
          storeDir,
          ports: { secure: port + 2, etcd: port + 3, peer: port + 4 },
        }),
    });
  return launchers;
}
