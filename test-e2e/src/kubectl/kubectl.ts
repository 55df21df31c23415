import { expect } from 'chai';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { goTool, kubectlVersion } from '../harness/go-tools.ts';
import { execute, type Result } from '../harness/run.ts';

/** A kubectl program of some release. */
export interface KubectlBinary {
  readonly name: string;
  /** Minor release: 36 of v1.36. */
  readonly minor: number;
  path(): Promise<string>;
}

const builtMinor = Number(kubectlVersion.split('.')[1]);

/**
 * The kubectl built from Go packages, and each `kubectl` or `kubectl.…` on the PATH or in the folders of
 * $KUBECTL_FOLDERS.
 */
export function kubectlBinaries(): readonly KubectlBinary[] {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...(process.env['KUBECTL_FOLDERS'] ?? '').split(delimiter),
  ].filter((folder) => folder !== '');
  const found = new Map<number, string>();
  for (const folder of new Set(folders)) {
    for (const file of namesIn(folder)
      .filter((name) => /^kubectl(\.\d+\.\d+)?$/.test(name))
      .sort()) {
      const path = join(folder, file);
      if (!isExecutable(path)) continue;
      const minor = minorOf(path);
      if (!found.has(minor)) found.set(minor, path);
    }
  }
  if (found.size === 0) throw new Error('kubectl is not installed');
  return [
    ...[...found].map(([minor, path]) => ({ name: `kubectl 1.${minor}`, minor, path: () => Promise.resolve(path) })),
    { name: `kubectl 1.${builtMinor} of Go packages`, minor: builtMinor, path: () => goTool('kubectl') },
  ];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function minorOf(path: string): number {
  const { clientVersion } = JSON.parse(
    execFileSync(path, ['version', '--client', '-o', 'json'], { encoding: 'utf8' }),
  ) as { clientVersion: { gitVersion: string } };
  return Number(/^v1\.(\d+)\./.exec(clientVersion.gitVersion)?.[1]);
}

/** A kubectl that goes on watching. */
export interface Watching {
  /** What it has printed so far. */
  stdout(): string;
  /** Its exit code; null when it was killed. */
  readonly ended: Promise<number | null>;
  stop(): void;
}

/** kubectl with its own cache, talking to one chain. */
export class Kubectl {
  readonly folder = mkdtempSync(join(tmpdir(), 'kubechain-kubectl-'));
  readonly kubeconfig: string;
  readonly #path: string;

  constructor(path: string, kubeconfig: string) {
    this.#path = path;
    this.kubeconfig = kubeconfig;
  }

  /** Runs it to its end, whatever that is. */
  run(args: readonly string[], input?: string, env: Readonly<Record<string, string>> = {}): Promise<Result> {
    return execute(this.#path, ['--kubeconfig', this.kubeconfig, '--cache-dir', join(this.folder, 'cache'), ...args], {
      timeoutMs: 120_000,
      env: { KUBECTL_EXTERNAL_DIFF: 'diff -u', ...env },
      ...(input === undefined ? {} : { input }),
    });
  }

  /** Starts one that goes on until it is killed. */
  start(args: readonly string[]): ChildProcess {
    return spawn(this.#path, ['--kubeconfig', this.kubeconfig, '--cache-dir', join(this.folder, 'cache'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /**
   * Starts one that watches, and resolves once the server has begun to answer its watch: what happens from then on it
   * sees.
   */
  async watching(args: readonly string[]): Promise<Watching> {
    // At this verbosity it writes the requests that were answered to stderr.
    const child = spawn(
      this.#path,
      ['--kubeconfig', this.kubeconfig, '--cache-dir', join(this.folder, 'cache'), '-v=6', ...args],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    });
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        if (/\bwatch=true\b.*\b200\b/.test(stderr)) resolve();
      });
      child.once('error', reject);
      void ended.then((code) => {
        reject(new Error(`kubectl ${args.join(' ')} ended with ${code} before it watched\n${stdout}${stderr}`));
      });
    });
    return {
      stdout: () => stdout,
      ended,
      stop: () => {
        child.kill();
      },
    };
  }

  /** What it prints; it must succeed. Arguments are one string, split at spaces, or a list. */
  async ok(args: string | readonly string[], input?: string, env?: Readonly<Record<string, string>>): Promise<string> {
    const list = typeof args === 'string' ? args.split(' ') : args;
    const { code, stdout, stderr } = await this.run(list, input, env);
    expect(code, `kubectl ${list.join(' ')}\n${stdout}${stderr}`).to.equal(0);
    return stdout;
  }

  /** What it says on stderr; it must fail. */
  async fails(args: string | readonly string[], input?: string): Promise<string> {
    const list = typeof args === 'string' ? args.split(' ') : args;
    const { code, stdout, stderr } = await this.run(list, input);
    expect(code, `kubectl ${list.join(' ')}\n${stdout}${stderr}`).not.to.equal(0);
    return stderr;
  }

  /** The object or list that it prints as JSON. */
  async json<T = KubectlObject>(args: string | readonly string[], input?: string): Promise<T> {
    const list = typeof args === 'string' ? args.split(' ') : args;
    return JSON.parse(await this.ok([...list, '-o', 'json'], input)) as T;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** As much of an object as the tests look at. */
export interface KubectlObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly finalizers?: string[];
    readonly managedFields?: { manager: string; operation: string; subresource?: string }[];
  };
  readonly spec: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
  readonly data?: Record<string, string>;
}

/** Lists of such objects. */
export interface KubectlList {
  readonly items: readonly KubectlObject[];
}

/** Defines tests of one topic; `kubectl()` may be called inside tests, `minor` tells what this kubectl knows. */
export type KubectlSuite = (kubectl: () => Kubectl, minor: number) => void;
