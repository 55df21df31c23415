import type { Answer } from './answers.ts';

/** What a row is answered with here, and why that is not what kube-apiserver answers. */
export interface Difference {
  readonly answer: Answer;
  readonly why: string;
}

/** By the names of the rows. */
export const differences: ReadonlyMap<string, Difference> = new Map<string, Difference>([]);
