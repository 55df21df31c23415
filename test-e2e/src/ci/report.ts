import { readFileSync } from 'node:fs';
import { excerptOf } from './excerpt.ts';
import type { Outcome } from './job.ts';

/** Prints all that a job has printed, in one piece, between its name and how it ended. */
export function printOutcome(outcome: Outcome, logFile: string | undefined): void {
  const {
    job: { name },
  } = outcome;
  const output = outputOf(logFile);
  console.log(`\n══ ${name}\n${output}══ ${name}: ${ending(outcome)}, ${outcome.seconds.toFixed(0)} s\n`);
}

/**
 * Prints how long jobs took, which have failed, with what they said of it, and how many tests and transcripts passed,
 * last. Returns the exit code. `logFileOf`: what a job printed; undefined when it did not run.
 */
export function printSummary(
  outcomes: readonly Outcome[],
  logFileOf: (outcome: Outcome) => string | undefined,
): number {
  console.log(`\n${'seconds'.padStart(8)}  ${'passed'.padStart(6)}`);
  for (const { job, seconds, passed } of outcomes.toSorted((a, b) => b.seconds - a.seconds)) {
    console.log(`${seconds.toFixed(1).padStart(8)}  ${(passed === 0 ? '' : String(passed)).padStart(6)}  ${job.name}`);
  }
  const left = outcomes.filter(({ kind }) => kind === 'left out');
  if (left.length > 0) console.log('\nLeft out, as this machine cannot do it:');
  for (const outcome of left)
    console.log(`  ${outcome.job.name}: ${ending(outcome)}\n${excerptOf(outcome.job, outputOf(logFileOf(outcome)))}`);
  const lost = outcomes.filter(({ kind }) => kind === 'failed' || kind === 'not run');
  if (lost.length > 0) console.log('\nNot passed:');
  for (const outcome of lost)
    console.log(`  ${outcome.job.name}: ${ending(outcome)}\n${excerptOf(outcome.job, outputOf(logFileOf(outcome)))}`);
  const again = outcomes.filter(({ kind, triedAgain }) => kind === 'passed' && triedAgain !== undefined);
  if (again.length > 0) console.log('\nPassed only when tried again:');
  for (const outcome of again) {
    const { job, triedAgain = [] } = outcome;
    console.log(`  ${job.name}: ${triedAgain.join(', ')}\n${excerptOf(job, outputOf(logFileOf(outcome)))}`);
  }
  const sum = (what: 'passed' | 'failed'): number => outcomes.reduce((total, outcome) => total + outcome[what], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return lost.length === 0 && outcomes.length > 0 ? 0 : 1;
}

function outputOf(logFile: string | undefined): string {
  return logFile === undefined ? '' : readFileSync(logFile, 'utf8').replace(/\n*$/, '\n');
}

function ending({ kind, reason }: Outcome): string {
  return reason === undefined ? kind : `${kind} (${reason})`;
}
