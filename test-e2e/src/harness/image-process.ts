import { freePort } from '@kubechain/shared-storage/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltImage } from './dockerfile.ts';

const SAID_LIMIT_MS = 120_000;

/** What an image's command did when it was told to end. */
export interface Ended {
  readonly code: number | null;
  readonly tookMs: number;
}

/** The command of a built image as a process of this machine, with the image's files, environment and this Node. */
export class ImageProcess {
  readonly dataDir: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #output = '';

  private constructor(child: ChildProcess, dataDir: string) {
    this.#child = child;
    this.dataDir = dataDir;
    this.#exited = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        // The last of it is what is looked at: a process may run for hours.
        this.#output = (this.#output + text).slice(-1_000_000);
      });
  }

  /** Starts it over a folder of its own in the place of its volume; resolves when it says that it is ready. */
  static async start(built: BuiltImage, flags: readonly string[] = []): Promise<ImageProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-image-data-'));
    const command = built.command.slice(1).map((word) => (word === '/data' ? dataDir : word));
    const child = spawn(process.execPath, [...command, `--secure-port=${await freePort()}`, ...flags], {
      cwd: join(built.root, built.workdir),
      env: { ...process.env, ...built.env, KUBECHAIN_BUNDLE: join(built.root, built.env['KUBECHAIN_BUNDLE'] ?? '') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new ImageProcess(child, dataDir);
    try {
      await started.says(/ready in \d+ ms/);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  get kubeconfig(): string {
    return join(this.dataDir, 'admin.kubeconfig');
  }

  async says(what: RegExp): Promise<void> {
    for (const endsMs = performance.now() + SAID_LIMIT_MS; !what.test(this.#output); await delay(50))
      if (performance.now() > endsMs) throw new Error(`it does not say ${what}:\n${this.#output}`);
  }

  /** Bytes that it and all processes below it have of their own, files of programs and libraries left out. */
  memory(): number {
    return processesBelow(this.#child.pid ?? 0).reduce((sum, pid) => sum + anonymousMemory(pid), 0);
  }

  /** Ends it as Docker and kubelets do, with SIGTERM; takes its folder away. */
  async stop(): Promise<Ended> {
    const beganMs = performance.now();
    this.#child.kill('SIGTERM');
    await this.#exited;
    const tookMs = performance.now() - beganMs;
    rmSync(this.dataDir, { recursive: true, force: true });
    return { code: this.#child.exitCode, tookMs };
  }
}

/** A process, its children, and theirs. */
function processesBelow(pid: number): readonly number[] {
  const children = readProcess(`${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => processesBelow(Number(child))))];
}

function anonymousMemory(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readProcess(`${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Nothing of a process that has just ended. */
function readProcess(path: string): string {
  try {
    return readFileSync(join('/proc', path), 'utf8');
  } catch {
    return '';
  }
}
