/** Loaded by mocha before all tests: says of each test that passed, but not the first time. */
import { SECOND_TRY } from './second-try.ts';

interface Tried {
  readonly currentTest?: {
    readonly state?: string;
    currentRetry(): number;
    fullTitle(): string;
  };
}

export const mochaHooks = {
  afterEach(this: Tried): void {
    const test = this.currentTest;
    if (test?.state === 'passed' && test.currentRetry() > 0) console.log(`${SECOND_TRY}${test.fullTitle()}`);
  },
};
