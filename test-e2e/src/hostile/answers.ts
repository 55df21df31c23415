import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './target.ts';

/** What a row is answered with. */
export interface Answer {
  /** Each status once, in order; how often each came is the busyness of the machine. */
  readonly statuses: readonly number[];
  /** Of the first answer, where that is a Status and nothing else was answered with success. */
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

/** Where the scheme is made; a build without paths names another place. */
const scheme = /in scheme "[^"]*"/;
/** How large a message would have been: managed fields have times. */
const size = /\(\d+ vs\./;

/** What differs from server to server: what is made of `generateName: h-`, uids, times and revisions. */
const generated = /(?<=\bh-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const identities =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|(?<="resourceVersion\\?":\\?")\d+/g;

/** What an outcome says that is the same whenever it is asked for. */
export function answerOf({ statuses, text }: Outcome): Answer {
  // What watches tell of, and how frames of HTTP/2 are cut, is the busyness of the machine.
  const refused = statuses.length > 0 && statuses.every((status) => status >= 400);
  const status = (refused ? /\{"kind":"Status".*/s.exec(text)?.[0] : undefined) ?? '';
  const reason = /"reason":"(\w+)"/.exec(status)?.[1];
  const message = /"message":("(?:[^"\\]|\\.)*")/.exec(status)?.[1];
  return {
    statuses: [...new Set(statuses)].sort((a, b) => a - b),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined
      ? {}
      : {
          message: (JSON.parse(message) as string)
            .replace(scheme, 'in scheme "…"')
            .replace(size, '(N vs.')
            .replaceAll(generated, '…')
            .replaceAll(identities, '…'),
        }),
  };
}
