import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processUsage, type ProcessUsage } from './process-usage.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const CHILDREN = ['etcd', 'apiextensions', 'kube-apiserver', 'aggregator', 'controllers'];
/** Longer than the command itself waits. */
const READY_TIMEOUT_MS = 90_000;

/** A chain that was started as users start it. */
export interface RunningChain {
  readonly dataDir: string;
  /** As the command says it: since its own process began. */
  readonly readyMs: number;
  /** Milliseconds that each process took, by the command's own lines. */
  readonly processMs: ReadonlyMap<string, number>;
  /** What each process has used by now, the command itself as `kubechain`. */
  usage(): ReadonlyMap<string, ProcessUsage>;
  pid(name: string): number;
  stop(): Promise<void>;
}

/**
 * Runs `kubechain up` of a checkout (default: this one) with `args`, without controllers unless `controllers` says
 * which, and resolves when it is ready.
 * @throws TypeError with its output when it is not
 */
export async function runChain(
  dataDir: string,
  args: readonly string[],
  { controllers = 'none', checkout = CHECKOUT }: { readonly controllers?: string; readonly checkout?: string } = {},
): Promise<RunningChain> {
  const child = spawn(
    process.execPath,
    [
      join(checkout, 'packages/kubechain/bin/kubechain.js'),
      'up',
      '--data-dir',
      dataDir,
      `--controllers=${controllers}`,
      ...args,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const output = await outputUntilReady(child);
  const pid = (name: string): number =>
    name === 'kubechain' ? child.pid! : Number(readFileSync(join(dataDir, 'run', `${name}.pid`), 'utf8'));
  return {
    dataDir,
    readyMs: Number(/^ready in (\d+) ms/m.exec(output)?.[1]),
    pid,
    processMs: new Map(
      [...output.matchAll(/^ {2}(\S+) +(?:ready after|made in) (\d+) ms/gm)].map(([, name, ms]) => [name!, Number(ms)]),
    ),
    usage: () =>
      new Map(
        ['kubechain', ...CHILDREN].flatMap((name) => {
          // With --only, there are fewer.
          if (name !== 'kubechain' && !existsSync(join(dataDir, 'run', `${name}.pid`))) return [];
          const usage = processUsage(pid(name));
          return usage === undefined ? [] : [[name, usage]];
        }),
      ),
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function outputUntilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (): void => {
      child.kill('SIGKILL');
      reject(new TypeError(`the chain was not ready:\n${output}`));
    };
    const timer = setTimeout(fail, READY_TIMEOUT_MS);
    child.once('exit', fail);
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (!/^ready in \d+ ms/m.test(output)) return;
      clearTimeout(timer);
      child.off('exit', fail);
      resolve(output);
    });
  });
}
