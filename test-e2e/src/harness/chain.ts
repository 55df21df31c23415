import { freePort } from '@kubechain/shared-storage/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export interface ChainOptions {
  /** Further flags of `kubechain up`. */
  readonly flags?: readonly string[];
  /** Kept by the caller when given; otherwise a temporary folder that `stop` removes. */
  readonly dataDir?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** How long the chain may take to say that it is ready. Default 120,000: CI machines are slow and shared. */
  readonly readyTimeoutMs?: number;
  /** Variables of its environment besides this one's. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running chain: real processes, as a user starts them. */
export interface Chain {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly kubeconfig: string;
  /** Milliseconds that the command itself reported. */
  readonly readyMs: number;
  /** Everything the command printed so far. */
  output(): string;
  /** Sends a signal to the command itself (`SIGKILL` leaves its children to notice). */
  kill(signal: NodeJS.Signals): void;
  /** Resolves to the exit code of the command, when it ends by itself or by `stop`. */
  readonly ended: Promise<number | null>;
  /** Ends the chain and resolves to its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Runs `kubechain up` and resolves when it prints that it is ready; rejects with its output when it ends or hangs
 * before.
 */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const temporary = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'kubechain-e2e-'));
  const port = options.port ?? (await freePort());
  const child: ChildProcess = spawn(
    process.execPath,
    [
      join(root, 'packages/kubechain/bin/kubechain.js'),
      'up',
      '--data-dir',
      dataDir,
      '--secure-port',
      String(port),
      // What is compared with the bare reference is the bare API; who wants controllers says so.
      '--controllers=none',
      ...(options.flags ?? []),
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.environment } },
  );
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const readyMs = await new Promise<number>((resolve, reject) => {
    const timeout = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the chain was not ready in time:\n${output}`));
    }, options.readyTimeoutMs ?? 120_000);
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      const match = /ready in (\d+) ms/.exec(output);
      if (match !== null) {
        clearTimeout(timeout);
        resolve(Number(match[1]));
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    void exited.then((code) => {
      clearTimeout(timeout);
      reject(new Error(`kubechain up ended with ${code}:\n${output}`));
    });
  });
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    dataDir,
    readyMs,
    kubeconfig: /export KUBECONFIG=(\S+)/.exec(output)?.[1] ?? join(dataDir, 'admin.kubeconfig'),
    output: () => output,
    ended: exited,
    kill: (signal) => {
      child.kill(signal);
    },
    stop: async () => {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 20_000);
      const code = await exited;
      clearTimeout(killer);
      if (temporary) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}
