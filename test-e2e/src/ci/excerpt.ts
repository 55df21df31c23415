import type { Job } from './job.ts';

/** Lines; enough for a dozen failures with their stacks. */
const LONGEST = 200;
/** Where nothing says which part of the output tells of a failure. */
const TAIL = 40;

/** What a job that did not pass said about why: the failures that mocha lists at its end, or the last lines. */
export function excerptOf({ counts }: Pick<Job, 'counts'>, output: string): string {
  const lines = output.split('\n');
  const failures = counts === 'mocha' ? failuresIn(lines) : [];
  const chosen = failures.length > 0 ? failures.slice(0, LONGEST) : lines.slice(-TAIL);
  return chosen.map((line) => `    ${line}\n`).join('');
}

/** One job may run mocha several times, each with failures of its own, up to what the next program says. */
function failuresIn(lines: readonly string[]): readonly string[] {
  let within = false;
  return lines.filter((line) => {
    if (/^ {2}\d+ failing\b/.test(line)) within = true;
    else if (line.startsWith('> ') || /^ {2}\d+ passing\b/.test(line)) within = false;
    return within;
  });
}
