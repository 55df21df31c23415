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
export function countsOf({ counts = 'nothing', runs = 1 }: Pick<Job, 'counts' | 'runs'>, output: string): Counts {
  switch (counts) {
    case 'mocha': {
      // One job may run mocha several times.
      const numbers = (what: string): readonly number[] =>
        [...output.matchAll(new RegExp(`^ {2}(\\d+) ${what}\\b`, 'gm'))].map(([, number]) => Number(number));
      const count = (what: string): number => numbers(what).reduce((sum, number) => sum + number, 0);
      const [passed, failed, pending] = [count('passing'), count('failing'), count('pending')];
      if (pending > 0) return { passed, failed, complaint: `${pending} tests were skipped` };
      if (passed + failed === 0) return { passed, failed, complaint: 'no test ran' };
      const ended = numbers('passing').length;
      return ended < runs ? { passed, failed, complaint: `${ended} of ${runs} runs ended` } : { passed, failed };
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
