import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { countsOf } from './counts.ts';
import { CANNOT, type Job, type Outcome } from './job.ts';
import { FAILED_FILES } from './failed-files.ts';

export interface RunJobOptions {
  readonly cwd: string;
  /** Where its output goes as it comes, that of further attempts behind. */
  readonly logFile: string;
  /** The job is killed, with all it started, when it takes longer or this is aborted. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** More files than these are no accident. */
const MOST_FILES_AGAIN = 5;

/** Runs a job to its end; never rejects. */
export async function runJob(job: Job, options: RunJobOptions): Promise<Outcome> {
  const startMs = performance.now();
  const first = await attempts(job, options);
  const files = first.reason === undefined ? [] : filesOf(options.logFile);
  const again = job.again !== undefined && !first.incomplete && files.length > 0 && files.length <= MOST_FILES_AGAIN;
  const { incomplete: _, ...last } = again ? await secondTry(job, job.again(files), first, options) : first;
  const seconds = (performance.now() - startMs) / 1000;
  if (job.asks === true && last.reason === `exit code ${CANNOT}`)
    return { job, seconds, kind: 'left out', passed: 0, failed: 0, reason: 'this machine cannot' };
  const kind = last.reason === undefined ? 'passed' : 'failed';
  return { job, seconds, ...last, kind, ...(again ? { triedAgain: files } : {}) };
}

/** `incomplete`: there are tests that the job has not come to, so that those that failed are not all. */
type Ending = Pick<Outcome, 'passed' | 'failed' | 'reason'> & { readonly incomplete: boolean };

async function attempts(job: Job, options: RunJobOptions): Promise<Ending> {
  let reason: string | undefined = 'never tried';
  for (let attempt = 1; reason !== undefined && attempt <= (job.attempts ?? 1) && !options.signal.aborted; attempt++)
    reason = await runOnce(job, options);
  return endingOf(job, readFileSync(options.logFile, 'utf8'), reason);
}

/** Runs the files that have failed; the rest of the job counts as it did. */
async function secondTry(job: Job, command: Job['command'], first: Ending, options: RunJobOptions): Promise<Ending> {
  const before = readFileSync(options.logFile, 'utf8').length;
  const reason = await runOnce({ ...job, command }, options);
  const { failed, ...second } = endingOf(
    { ...job, runs: 1 },
    readFileSync(options.logFile, 'utf8').slice(before),
    reason,
  );
  return { ...second, passed: first.passed + Math.max(0, first.failed - failed), failed };
}

function endingOf(job: Job, output: string, ended: string | undefined): Ending {
  const { passed, failed, complaint } = countsOf(job, output);
  const reason = complaint ?? ended ?? (failed > 0 ? `${failed} failed` : undefined);
  const incomplete = complaint !== undefined;
  return reason === undefined
    ? { passed, failed: 0, incomplete }
    : { passed, failed: Math.max(1, failed), incomplete, reason };
}

function filesOf(logFile: string): readonly string[] {
  const path = failedFiles(logFile);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

function failedFiles(logFile: string): string {
  return `${logFile}.failed-files`;
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
    env: { ...process.env, ...env, [FAILED_FILES]: failedFiles(logFile) },
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
