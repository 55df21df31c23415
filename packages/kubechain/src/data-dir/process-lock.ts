import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { LaunchError } from '../launch-error.ts';
import type { DataDir } from './data-dir.ts';

/** Held as long as this process runs; the system gives it up when the process ends in any way. */
export interface ProcessLock {
  release(): Promise<void>;
}

/**
 * Makes sure that one server of a data directory runs once, so that a second `up` does not take its sockets away.
 * The lock is a listening socket that tells its owner's pid: nothing stale can be left behind by a crash.
 * @throws LaunchError `DataDir` naming the process that holds it
 */
export async function lockProcess(dir: DataDir, name: string): Promise<ProcessLock> {
  const path = join(dir.run, `${name}.lock.sock`);
  const owner = await askOwner(path);
  if (owner !== undefined)
    throw new LaunchError(
      'DataDir',
      `--data-dir: ${name} already runs on '${dir.root}' (pid ${owner}); kubechain down ends it`,
    );
  rmSync(path, { force: true });
  const server = createServer((socket) => socket.end(String(process.pid)));
  server.unref();
  await listen(server, path);
  chmodSync(path, 0o600);
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new LaunchError('DataDir', `--data-dir: cannot listen on '${path}': ${cause.message}`, { cause })),
    );
    server.listen(path, resolve);
  });
}

function askOwner(path: string): Promise<string | undefined> {
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
