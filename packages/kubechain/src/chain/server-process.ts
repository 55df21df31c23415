import { fileURLToPath } from 'node:url';
import { knownFlags, type FlagSet } from '@kubechain/apiserver/options';

/** The three servers in the order of the chain, which is also the order in which they are stopped. */
export const SERVER_NAMES = ['aggregator', 'kube-apiserver', 'apiextensions'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

/** The flags that a server understands; those that are booleans may stand without a value. */
export type KnownFlags = ReadonlyMap<string, { readonly isBoolean: boolean }>;

/** How one server is started, and what it understands. */
export interface ServerProcess {
  readonly name: ServerName;
  /** File that is run. */
  readonly main: string;
  readonly flags: KnownFlags;
}

/** Name of the process that runs controllers, a client of the chain. */
export const CONTROLLERS_NAME = 'controllers';

/** How controllers are started, and what they understand. */
export interface ControllersProcess extends Omit<ServerProcess, 'name'> {
  readonly name: typeof CONTROLLERS_NAME;
}

/** As findServerProcess. */
export async function findControllersProcess(): Promise<ControllersProcess> {
  return { ...(await findProcess(CONTROLLERS_NAME)), name: CONTROLLERS_NAME };
}

/**
 * Finds a server by its package. Servers are run, never imported: only the module `flags` beside their entry is read,
 * which exports `flagSets` and loads nothing of the server itself.
 */
export async function findServerProcess(name: ServerName): Promise<ServerProcess> {
  return { ...(await findProcess(name)), name };
}

async function findProcess(name: string): Promise<Omit<ServerProcess, 'name'>> {
  const index = new URL(import.meta.resolve(`@kubechain/${name}`));
  const extension = index.pathname.endsWith('.js') ? 'js' : 'ts';
  const flags = (await import(new URL(`./flags.${extension}`, index).href)) as {
    readonly flagSets: Readonly<Record<string, FlagSet>>;
  };
  return { main: fileURLToPath(new URL(`./main.${extension}`, index)), flags: knownFlags(flags.flagSets) };
}
