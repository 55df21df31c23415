import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { countsOf } from './counts.ts';
import type { Job, Outcome } from './job.ts';

export interface RunJobOptions {
  readonly cwd: string;
  /** Where its output goes as it comes, that of further attempts behind. */
  readonly logFile: string;
  /** The job is killed, with all it started, when it takes longer or this is aborted. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs a job to its end; never rejects. */
export async function runJob(job: Job, options: RunJobOptions): Promise<Outcome> {
  const startMs = performance.now();
  let reason: string | undefined = 'never tried';
  for (let attempt = 1; reason !== undefined && attempt <= (job.attempts ?? 1) && !options.signal.aborted; attempt++)
    reason = await runOnce(job, options);
  const { passed, failed, complaint } = countsOf(job, readFileSync(options.logFile, 'utf8'));
  reason ??= complaint ?? (failed > 0 ? `${failed} failed` : undefined);
  const result = { job, seconds: (performance.now() - startMs) / 1000, passed };
  return reason === undefined
    ? { ...result, kind: 'passed', failed: 0 }
    : { ...result, kind: 'failed', failed: Math.max(1, failed), reason };
}

/** Resolves to what went wrong. */
async function runOnce(
  { command: [program, ...args], env }: Job,
  { cwd, logFile, timeoutMs, signal }: RunJobOptions,
): Promise<string | undefined> {
  const log = createWriteStream(logFile, { flags: 'a' });
  // A group of its own, so that nothing that it started outlives it.
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  let killedBecause: string | undefined;
  const killGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      /* nothing is left of it */
    }
  };
  const kill = (why: string): void => {
    killedBecause ??= why;
    killGroup();
  };
  const timer = setTimeout(() => kill(`took longer than ${timeoutMs / 1000} s`), timeoutMs);
  const abort = (): void => kill('interrupted');
  signal.addEventListener('abort', abort);
  const reason = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // What it left behind could keep its output open for ever.
    child.once('exit', killGroup);
    child.once('close', (code, killed) =>
      resolve(killedBecause ?? (code === 0 ? undefined : code === null ? `killed by ${killed}` : `exit code ${code}`)),
    );
  });
  clearTimeout(timer);
  signal.removeEventListener('abort', abort);
  log.end();
  await finished(log);
  return reason;
}
