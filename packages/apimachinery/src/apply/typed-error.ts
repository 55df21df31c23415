/** One way in which a value does not fit its schema. */
export interface TypedProblem {
  path: string;
  readonly message: string;
}

/** A value that does not fit its schema; the message is structured-merge-diff's own. */
export class TypedError extends Error {
  override readonly name = 'TypedError';
  readonly problems: readonly TypedProblem[];
  constructor(problems: readonly TypedProblem[]) {
    const texts = problems.map((problem) =>
      problem.path === '' ? problem.message : `${problem.path}: ${problem.message}`,
    );
    super(texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'));
    this.problems = problems;
  }
}
