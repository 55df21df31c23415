import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDir, socketAddress } from '../../data-dir/data-dir.ts';
import { startTestEnvironment } from '../start-test-environment.ts';
import type { TestEnvironment } from '../test-environment.ts';
import { optionsOfProject } from './project-options.ts';
import { ADDRESS_VARIABLE, type Answer } from './worker-environment.ts';

/**
 * One environment for each worker of a run. They belong to the process that starts the workers, so that they end with
 * the run however workers end; the first time that a worker asks over a local socket, its own is started.
 */
export class WorkerEnvironments {
  readonly #environments = new Map<string, Promise<TestEnvironment>>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'kubechain-workers-'));
  readonly #dir = openDataDir(this.#folder);
  readonly #startOne: () => Promise<TestEnvironment>;
  #server: Server | undefined;

  /** By default environments are started as package.json says. */
  constructor(startOne = (): Promise<TestEnvironment> => startTestEnvironment(optionsOfProject())) {
    this.#startOne = startOne;
  }

  /** Resolves when workers that are started from now on may ask. */
  async start(): Promise<void> {
    const address = socketAddress(this.#dir, 'workers').slice('unix:'.length);
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#serve(socket);
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(address, resolve);
    });
    server.unref();
    process.once('exit', this.#remove);
    process.env[ADDRESS_VARIABLE] = address;
  }

  /** Ends them all. */
  async stop(): Promise<void> {
    delete process.env[ADDRESS_VARIABLE];
    const started = await Promise.allSettled(this.#environments.values());
    await Promise.all(started.flatMap((result) => (result.status === 'fulfilled' ? [result.value.stop()] : [])));
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
    process.off('exit', this.#remove);
    this.#remove();
  }

  readonly #remove = (): void => {
    for (const folder of [this.#dir.run, this.#folder]) rmSync(folder, { recursive: true, force: true });
  };

  /** A worker says its id, and hears where its environment is. */
  #serve(socket: Socket): void {
    let worker = '';
    socket.setEncoding('utf8').on('data', (text: string) => (worker += text));
    // A worker that ends while it waits needs no answer.
    socket.on('error', () => socket.destroy());
    socket.once('end', () => {
      this.#of(worker).then(
        ({ kubeconfig }) => socket.end(JSON.stringify({ kubeconfig } satisfies Answer)),
        (error: unknown) => socket.end(JSON.stringify({ refused: String(error) } satisfies Answer)),
      );
    });
  }

  #of(worker: string): Promise<TestEnvironment> {
    const found = this.#environments.get(worker) ?? this.#startOne();
    this.#environments.set(worker, found);
    return found;
  }
}
