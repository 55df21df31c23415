import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isLaunchError, LaunchError } from '../launch-error.ts';

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
  /** Of the controllers. */
  readonly controllersKubeconfig: string;
}

/** Where everything of a chain lies, or would lie. */
export function locateDataDir(path: string): DataDir {
  const root = resolve(path);
  return {
    root,
    pki: join(root, 'pki'),
    logs: join(root, 'logs'),
    run: runDirectory(root),
    storeFile: join(root, 'etcd.db'),
    kubeconfig: join(root, 'admin.kubeconfig'),
    controllersKubeconfig: join(root, 'pki/controller-manager.kubeconfig'),
  };
}

/** Creates what is missing. @throws LaunchError `DataDir` */
export function openDataDir(path: string): DataDir {
  const dir = locateDataDir(path);
  const { root } = dir;
  try {
    makeFolder(root, 0o700);
    for (const folder of [dir.pki, dir.run, dir.logs]) makeFolder(folder, 0o700);
    assertPrivate(dir.run);
    closeToOthers(dir);
  } catch (cause) {
    if (isLaunchError(cause)) throw cause;
    throw new LaunchError('DataDir', `--data-dir: cannot use '${root}': ${(cause as Error).message}`, { cause });
  }
  return dir;
}

/** Step by step: Node's own recursive form never returns where the system takes no folders (/proc). */
function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), 0o755);
  mkdirSync(path, { mode });
}

/**
 * Folders and logs of an older version were open to others. The root is taken from them only where it is ours alone:
 * with our own folders in it, and no folder of everybody's (sticky).
 */
function closeToOthers({ logs, root, storeFile }: DataDir): void {
  const own = [logs, ...readdirSync(logs).map((name) => join(logs, name))];
  if ((statSync(root).mode & 0o1000) === 0 && existsSync(storeFile)) own.push(root);
  for (const path of own) {
    const { mode, uid } = statSync(path);
    if ((mode & 0o077) !== 0 && (process.getuid === undefined || uid === process.getuid()))
      chmodSync(path, mode & 0o700);
  }
}

/** Whoever can reach the sockets can be anybody: a folder that somebody else made, or may enter, must not hold them. */
function assertPrivate(path: string): void {
  const { uid, mode } = statSync(path);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) {
    throw new LaunchError(
      'DataDir',
      `--data-dir: '${path}' must belong to this user and be open to nobody else (mode 0700)`,
    );
  }
}

/** `unix:` address of a socket in the run directory. */
export function socketAddress(dir: DataDir, name: string): string {
  return `unix:${join(dir.run, `${name}.sock`)}`;
}

function runDirectory(root: string): string {
  const elsewhere = `kubechain-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  // TMPDIR may be deep as well, in sandboxes of builds.
  const places = [join(root, 'run'), join(tmpdir(), elsewhere)];
  return places.find(holdsSockets) ?? join('/tmp', elsewhere);
}

function holdsSockets(folder: string): boolean {
  return Buffer.byteLength(join(folder, 'kube-apiserver.lock.sock')) <= MAX_SOCKET_PATH;
}
