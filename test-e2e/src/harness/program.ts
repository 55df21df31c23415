import { spawn } from 'node:child_process';

/** A program that runs until it is stopped. */
export interface Program {
  /** Everything it printed so far. */
  output(): string;
  /** Sends it a signal, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void;
  /** Ends it and resolves to its exit code. */
  stop(): Promise<number | null>;
}

export interface ProgramOptions {
  /** What it prints when it can be used. */
  readonly ready: RegExp;
  readonly env?: Readonly<Record<string, string>>;
  /** Default 120,000: machines that test are slow and shared. */
  readonly timeoutMs?: number;
}

/**
 * Starts a program and resolves when it says that it is ready; rejects with its output when it ends or hangs before.
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  { env = {}, ready, timeoutMs = 120_000 }: ProgramOptions,
): Promise<Program> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${command} was not ready in time:\n${output}`));
    }, timeoutMs);
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      if (!ready.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    void exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`${command} ended with ${code}:\n${output}`));
    });
  });
  return {
    output: () => output,
    signal(name) {
      child.kill(name);
    },
    async stop() {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 20_000);
      const code = await exited;
      clearTimeout(killer);
      return code;
    },
  };
}
