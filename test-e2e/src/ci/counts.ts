import type { Job } from './job.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** What is wrong with the output, whatever the exit code says. */
  readonly complaint?: string;
}

/**
 * What a job's output says about its tests. Tests that were declared but not run, and suites without tests, are
 * complaints: they would pass by being left out.
 */
export function countsOf({ counts = 'nothing' }: Pick<Job, 'counts'>, output: string): Counts {
  switch (counts) {
    case 'mocha': {
      // One job may run mocha several times.
      const count = (what: string): number =>
        [...output.matchAll(new RegExp(`^ {2}(\\d+) ${what}\\b`, 'gm'))].reduce(
          (sum, [, number]) => sum + Number(number),
          0,
        );
      const [passed, failed, pending] = [count('passing'), count('failing'), count('pending')];
      if (pending > 0) return { passed, failed, complaint: `${pending} tests were skipped` };
      return passed + failed === 0 ? { passed, failed, complaint: 'no test ran' } : { passed, failed };
    }
    case 'transcripts': {
      const last = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
      return last === undefined
        ? { passed: 0, failed: 0, complaint: 'no transcript was replayed' }
        : { passed: Number(last[1]), failed: Number(last[2]) };
    }
    case 'nothing':
      return { passed: 0, failed: 0 };
    default:
      return counts satisfies never;
  }
}
