import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LaunchError } from '../launch-error.ts';

/** Longest socket path that Linux (107) and macOS (103) both take. */
const MAX_SOCKET_PATH = 103;

/** Where everything of one chain lies. All paths are absolute. */
export interface DataDir {
  readonly root: string;
  readonly pki: string;
  readonly logs: string;
  /** Sockets; below the system's temporary directory when the data directory's path is too long for them. Mode 0700. */
  readonly run: string;
  readonly storeFile: string;
  readonly kubeconfig: string;
}

/** Creates what is missing. @throws LaunchError `DataDir` */
export function openDataDir(path: string): DataDir {
  const root = resolve(path);
  const dir: DataDir = { root, pki: join(root, 'pki'), logs: join(root, 'logs'), run: runDirectory(root), storeFile: join(root, 'etcd.db'), kubeconfig: join(root, 'admin.kubeconfig') };
  try {
    mkdirSync(root, { recursive: true, mode: 0o755 });
    for (const folder of [dir.pki, dir.run]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    mkdirSync(dir.logs, { recursive: true, mode: 0o750 });
  } catch (cause) {
    throw new LaunchError('DataDir', `--data-dir: cannot use '${root}': ${(cause as Error).message}`, { cause });
  }
  return dir;
}

/** `unix:` address of a socket in the run directory. */
export function socketAddress(dir: DataDir, name: string): string {
  return `unix:${join(dir.run, `${name}.sock`)}`;
}

function runDirectory(root: string): string {
  const inside = join(root, 'run');
  if (Buffer.byteLength(join(inside, 'kube-apiserver.lock.sock')) <= MAX_SOCKET_PATH) return inside;
  return join(tmpdir(), `kubechain-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
}
