import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { LaunchError } from '../launch-error.ts';
import { startTestEnvironment } from '../testing/test-environment.ts';

/** What a command is run with. */
export interface RunOptions {
  readonly command: readonly [program: string, ...args: string[]];
  readonly flags: readonly string[];
  readonly controllers: readonly string[] | undefined;
  readonly crds: readonly string[];
}

/**
 * Runs a command with a fresh API server and KUBECONFIG set, and resolves to its exit code (128 and the signal's number
 * when one ended it), after everything has been removed.
 */
export async function run({ command: [program, ...args], controllers, crds, flags }: RunOptions): Promise<number> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // The terminal tells the command itself; what was sent to us alone is passed on.
  let child: ReturnType<typeof spawn> | undefined;
  let told: NodeJS.Signals | undefined;
  for (const signal of signals)
    process.on(signal, () => {
      told = signal;
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child?.kill(signal);
    });
  await using env = await startTestEnvironment({
    flags,
    crds,
    serviceAccountAdmission: controllers !== undefined,
    topology: 'processes',
    ...(controllers === undefined ? {} : { controllers }),
  });
  if (told !== undefined) return 128 + constants.signals[told];
  return await new Promise<number>((resolve, reject) => {
    child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, KUBECONFIG: env.kubeconfig } });
    child.once('error', (cause) => {
      reject(new LaunchError('Usage', `cannot run '${program}': ${cause.message}`, { cause }));
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}
