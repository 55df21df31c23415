import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { knownFlags, type FlagSet, type KnownFlag } from '@kubechain/apiserver/options';
import { builtProgram } from '../programs/built-programs.ts';

/** The three servers in the order of the chain, which is also the order in which they are stopped. */
export const SERVER_NAMES = ['aggregator', 'kube-apiserver', 'apiextensions'] as const;
/** One of {@link SERVER_NAMES}. */
export type ServerName = (typeof SERVER_NAMES)[number];

/** The flags that a server understands. */
export type KnownFlags = ReadonlyMap<string, KnownFlag>;

/** How one server is started, and what it understands. */
export interface ServerProcess {
  readonly name: ServerName;
  /** File that is run. */
  readonly main: string;
  readonly flags: KnownFlags;
}

/** Name of the process that runs controllers, a client of the chain. */
export const CONTROLLERS_NAME = 'controllers';

/** Name of the process that has the tenants of a chain. */
export const TENANTS_NAME = 'tenants';

/** How controllers are started, and what they understand. */
export interface ControllersProcess extends Omit<ServerProcess, 'name'> {
  readonly name: typeof CONTROLLERS_NAME;
}

/** As findServerProcess. */
export async function findControllersProcess(): Promise<ControllersProcess> {
  return { ...(await findProcess(CONTROLLERS_NAME)), name: CONTROLLERS_NAME };
}

/**
 * Finds a server by its package. Servers are run, never imported: only their entry point `flags` is read, which loads
 * nothing of the server itself.
 */
export async function findServerProcess(name: ServerName): Promise<ServerProcess> {
  return { ...(await findProcess(name)), name };
}

/** The flags of each process by concern, with their help. */
export async function flagSetsByProcess(): Promise<ReadonlyMap<string, readonly FlagSet[]>> {
  const names = [...SERVER_NAMES, CONTROLLERS_NAME] as const;
  return new Map(
    await Promise.all(names.map(async (name) => [name, Object.values((await flagsModules[name]()).flagSets)] as const)),
  );
}

interface FlagsModule {
  readonly flagSets: Readonly<Record<string, FlagSet>>;
}

const flagsModules: Readonly<Record<ServerName | typeof CONTROLLERS_NAME, () => Promise<FlagsModule>>> = {
  aggregator: () => import('@kubechain/aggregator/flags'),
  'kube-apiserver': () => import('@kubechain/kube-apiserver/flags'),
  apiextensions: () => import('@kubechain/apiextensions/flags'),
  controllers: () => import('@kubechain/controllers/flags'),
};

async function findProcess(name: ServerName | typeof CONTROLLERS_NAME): Promise<Omit<ServerProcess, 'name'>> {
  const { flagSets } = await flagsModules[name]();
  return { main: builtProgram(name) ?? mainOf(`@kubechain/${name}`), flags: knownFlags(flagSets) };
}

/** The program of a package that is not bundled: `main` beside its entry. */
export function mainOf(packageName: string): string {
  const index = new URL(import.meta.resolve(packageName));
  return fileURLToPath(new URL(`./main${extname(index.pathname)}`, index));
}
