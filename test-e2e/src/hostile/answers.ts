import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './target.ts';

/** What a row is answered with. */
export interface Answer {
  /** Each status once, in order; how often each came is the busyness of the machine. */
  readonly statuses: readonly number[];
  /** Of the first answer, where that is a Status. */
  readonly reason?: string;
  readonly message?: string;
}

/** By the names of the rows. */
export type Answers = Readonly<Record<string, Answer>>;

/** Recorded from kube-apiserver 1.36.2 by record-answers.ts. */
const file = new URL('./answers.json', import.meta.url);

export function readAnswers(): Answers {
  return JSON.parse(readFileSync(file, 'utf8')) as Answers;
}

export function writeAnswers(answers: Answers): void {
  writeFileSync(file, `${JSON.stringify(answers, undefined, 2)}\n`);
}

/** What an outcome says that is the same whenever it is asked for. */
export function answerOf({ statuses, text }: Outcome): Answer {
  const status = /\{"kind":"Status".*/s.exec(text)?.[0] ?? '';
  const reason = /"reason":"(\w+)"/.exec(status)?.[1];
  const message = /"message":("(?:[^"\\]|\\.)*")/.exec(status)?.[1];
  return {
    statuses: [...new Set(statuses)].sort((a, b) => a - b),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message: JSON.parse(message) as string }),
  };
}
