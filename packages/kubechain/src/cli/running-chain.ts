import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLLERS_NAME, SERVER_NAMES, TENANTS_NAME } from '../chain/server-process.ts';
import { STORE_NAME } from '../chain/chain-plan.ts';
import { LaunchError } from '../launch-error.ts';
import { serverOf } from '../pki/kubeconfig.ts';
import { locateDataDir, type DataDir } from '../data-dir/data-dir.ts';
import { askOwner } from '../data-dir/process-lock.ts';

/** All processes of a chain, first to last. */
const PROCESS_NAMES: readonly string[] = [...SERVER_NAMES, TENANTS_NAME, CONTROLLERS_NAME, STORE_NAME, 'all-in-one'];

/** What is known of the chain of a data directory from outside. */
export interface RunningChain {
  readonly dir: DataDir;
  /** Process of the command that runs it; undefined: nothing runs. */
  readonly pid: number | undefined;
  /** Where clients connect, as the kubeconfig says; undefined when there is none. */
  readonly url: string | undefined;
  /** The name that its certificate is asked for by, where the kubeconfig says one. */
  readonly serverName: string | undefined;
  readonly processes: readonly { readonly name: string; readonly pid: number | undefined }[];
}

/** Looks at a data directory; makes nothing. @throws LaunchError when it may not be looked into */
export async function lookAtChain(dataDir: string): Promise<RunningChain> {
  const dir = locateDataDir(dataDir);
  assertOpen(dir.root);
  const owners = await Promise.all(PROCESS_NAMES.map((name) => lockOwner(join(dir.run, `${name}.lock.sock`))));
  const { server, serverName } = serverOf(existsSync(dir.kubeconfig) ? readFileSync(dir.kubeconfig, 'utf8') : '');
  return {
    dir,
    pid: owners.find((owner) => owner !== undefined),
    url: server === '' ? undefined : server,
    serverName,
    processes: PROCESS_NAMES.map((name) => ({ name, pid: livePid(join(dir.run, `${name}.pid`)) })),
  };
}

/** A folder of somebody else's is no folder where nothing runs. */
function assertOpen(root: string): void {
  try {
    accessSync(root, constants.R_OK | constants.X_OK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EACCES')
      throw new LaunchError('DataDir', `--data-dir: cannot look into '${root}': permission denied`, { cause });
  }
}

/** Names of the logs that a directory has. */
export function logNames({ logs }: DataDir): string[] {
  if (!existsSync(logs)) return [];
  return readdirSync(logs)
    .filter((name) => name.endsWith('.log'))
    .map((name) => name.slice(0, -'.log'.length))
    .sort();
}

/** The process that holds a lock, where it says so in time. */
async function lockOwner(path: string): Promise<number | undefined> {
  const owner = (await askOwner(path)) ?? '';
  return /^\d+$/.test(owner) ? Number(owner) : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function livePid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
