import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { TestResult } from './suite.ts';

/** How tests ended, kept in a file of one JSON object a line, so that a run that was broken off goes on from there. */
export class ResultRecord {
  readonly #file: string;
  readonly #results = new Map<string, TestResult[]>();

  constructor(file: string) {
    this.#file = file;
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean))
      this.#remember(JSON.parse(line) as TestResult);
  }

  add(result: TestResult): void {
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
    this.#remember(result);
  }

  /** All tries of a test, the last one last. */
  tries(test: string): readonly TestResult[] {
    return this.#results.get(test) ?? [];
  }

  last(test: string): TestResult | undefined {
    return this.tries(test).at(-1);
  }

  #remember(result: TestResult): void {
    const tries = this.#results.get(result.test);
    if (tries === undefined) this.#results.set(result.test, [result]);
    else tries.push(result);
  }
}
