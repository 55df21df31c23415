import { execFile } from 'node:child_process';

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: none. The program is killed when it takes longer, and the promise rejects. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end, whatever its exit code; rejects where it cannot be started or is killed. */
export function execute(command: string, args: readonly string[], options: RunOptions = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      {
        cwd: options.cwd,
        maxBuffer: 1 << 28,
        timeout: options.timeoutMs ?? 0,
        env: { ...process.env, ...options.env },
      },
      (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else if (error.code === 'ENOENT') reject(new Error(`${command} is not installed`, { cause: error }));
        else reject(new Error(`${command} ${args.join(' ')} was killed\n${stdout}${stderr}`, { cause: error }));
      },
    );
    child.stdin?.on('error', () => {
      /* it ended without reading */
    });
    child.stdin?.end(options.input ?? '');
  });
}

/** Runs a program that must succeed and resolves to what it printed; rejects with all its output. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await execute(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${code}\n${stdout}${stderr}`);
  return stdout;
}
