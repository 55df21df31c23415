import { readFileSync } from 'node:fs';
import type { Outcome } from './target.ts';

/** Recorded from kube-apiserver 1.36: the statuses of each row, by its name (record-answers.ts). */
export type Answers = Readonly<Record<string, readonly number[]>>;

/** Where they are kept. */
export const answersFile = new URL('./answers.json', import.meta.url);

export function readAnswers(): Answers {
  return JSON.parse(readFileSync(answersFile, 'utf8')) as Answers;
}

/** Each status of an outcome once; how often it came is the busyness of the machine. */
export function statusesOf({ statuses }: Outcome): readonly number[] {
  return [...new Set(statuses)].sort((a, b) => a - b);
}
