import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '@kubechain/apimachinery';
import { LaunchError } from '../launch-error.ts';
import type { DataDir } from './data-dir.ts';

/** Held as long as this process runs; the system gives it up when the process ends in any way. */
export interface ProcessLock {
  release(): Promise<void>;
}

/** Between two tries while another process clears a stale socket away, which takes it milliseconds. */
const retryMs = 50;
const tries = 200;

/**
 * Makes sure that one server of a data directory runs once, so that a second `up` does not take its sockets away.
 * The lock is a listening socket that tells its owner's pid. Only one process can make it; one that a crash has left
 * behind is cleared away by one process at a time, which would else take away what another has made just then.
 * @throws LaunchError `DataDir` naming the process that holds it
 */
export async function lockProcess(dir: DataDir, name: string): Promise<ProcessLock> {
  const path = join(dir.run, `${name}.lock.sock`);
  for (let tried = 0; tried < tries; tried++) {
    const server = (await listening(path)) ?? (await listeningInstead(path, { dir, name }));
    if (server !== undefined) return { release: () => new Promise((resolve) => server.close(() => resolve())) };
    await wait(retryMs);
  }
  throw new LaunchError('DataDir', `--data-dir: '${path}' cannot be locked: other processes have been at it for long`);
}

/** undefined: there is such a socket, of somebody who runs or has run. */
async function listening(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.end(String(process.pid)));
  server.unref();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw new LaunchError('DataDir', `--data-dir: cannot listen on '${path}': ${messageOf(cause)}`, { cause });
  }
  chmodSync(path, 0o600);
  return server;
}

/** Listens in the place of one that has run; undefined while another process does so. */
async function listeningInstead(
  path: string,
  { dir, name }: { readonly dir: DataDir; readonly name: string },
): Promise<Server | undefined> {
  // After a crash alone: Node takes some milliseconds to load it.
  const { unlessUnderWay } = await import('../unless-under-way.ts');
  let server: Server | undefined;
  await unlessUnderWay(`${path}.clearing`, async () => {
    const owner = await askOwner(path);
    if (owner !== undefined)
      throw new LaunchError(
        'DataDir',
        `--data-dir: ${name} already runs on '${dir.root}' (pid ${owner}); kubechain down ends it`,
      );
    rmSync(path, { force: true });
    server = await listening(path);
  });
  return server;
}

/** The pid of who holds a lock; 'unknown' where that is not told in time, undefined where nobody holds it. */
export function askOwner(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(path);
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => resolve(undefined));
    // A listener that does not answer in time still holds the lock.
    socket.on('close', (failed) => failed || resolve(answer === '' ? 'unknown' : answer));
  });
}
