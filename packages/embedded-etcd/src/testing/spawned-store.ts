import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** How a process ended and what it said. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The store as a process of its own; killed with the scope that holds it. */
export class SpawnedStore implements AsyncDisposable {
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';
  readonly ended: Promise<Ending>;

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) =>
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }),
      );
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Where it serves, once it says so. */
  async endpoint(): Promise<string> {
    const stdout = this.#child.stdout;
    if (stdout === null) throw new TypeError('stdout is not a pipe');
    while (!this.#stdout.includes('\n')) {
      const ended = await Promise.race([
        new Promise<undefined>((resolve) => stdout.once('data', () => resolve(undefined))),
        this.ended,
      ]);
      if (ended !== undefined) throw new RangeError(`ended before it served: ${ended.stderr}`);
    }
    return (JSON.parse(this.#stdout) as { endpoint: string }).endpoint;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGKILL');
  }

  kill(signal: NodeJS.Signals): Promise<Ending> {
    this.#child.kill(signal);
    return this.ended;
  }
}
