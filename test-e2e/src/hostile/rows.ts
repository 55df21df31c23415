import { apiRows } from './api-rows.ts';
import { connectionRows } from './connection-rows.ts';
import { documentRows } from './document-rows.ts';
import { expressionRows } from './expression-rows.ts';
import { headerRows } from './header-rows.ts';
import { http1Rows } from './http1-rows.ts';
import { http2Rows } from './http2-rows.ts';
import { objectRows } from './object-rows.ts';
import type { HostileRow } from './row.ts';
import { streamRows } from './stream-rows.ts';

const aside = 'it has more than 25,000 values or 1.5 MiB: seconds of the side server';
const tooLarge = 'as it is stored it is larger than one message to the store, which is a 500, after seconds aside';
const compiled =
  'the definition is compiled and made part of documents in each process, in turns: seconds of a processor';
const absent = 'it is there once the definition of the row before it is';

/**
 * Rows that are not part of CI, and why: `npm run hostile` fires them. Nobody else waits for them for long, but they
 * take so much of a processor, or of time, that what comes of them is decided by what else the machine does.
 */
export const knownHeavy: ReadonlyMap<string, string> = new Map([
  ['a review with 50,000 extras', aside],
  ['a strategic patch of 20,000 containers', aside],
  ['a review of a selector of 50,000 requirements', aside],
  ['a pod of 20,000 containers', tooLarge],
  ['a pod of 20,000 containers of one name', aside],
  ['a pod of 20,000 ports', tooLarge],
  ['a pod of 20,000 volumes', aside],
  ['a pod of 10,000 mounts of one volume', aside],
  ['100,000 finalizers', tooLarge],
  ['a label of odd letters', aside],
  ['a service of 50,000 addresses from outside', aside],
  ['a network policy of 20,000 peers', aside],
  ['an ingress of 20,000 paths', aside],
  ['20,000 ephemeral containers', tooLarge],
  ['a status of 20,000 conditions', aside],
  ['a rule of a text of a megabyte', aside],
  [
    'a quota of 20,000 resources',
    'a dozen steps of 20,000 names, each within the bar of the scaling gate: two seconds',
  ],
  [
    '30 services for all node ports',
    'three thousand ports of a range of 2,768, which are kept in one object that each service changes',
  ],
  ['continue tokens without sense', 'one is of a revision that does not come, for which three seconds are waited'],
  ['a definition of 200 versions', compiled],
  ['a definition of 20,000 properties', compiled],
  ['a schema that is many times itself', compiled],
  ['a rule with a pattern of 100,000 letters', compiled],
  ['an object for them, which is empty', absent],
  ['an object for them, of 50,000 letters', absent],
  ['an object for it, of 50,000 items', absent],
  ['an object for it, of 30,000 items', absent],
]);

/** Those that CI fires: what comes of the others is decided by how busy the machine is. */
export const ciRows: readonly HostileRow[] = [
  ...http1Rows,
  ...headerRows,
  ...http2Rows,
  ...apiRows,
  ...documentRows,
  ...objectRows,
  ...expressionRows,
].filter(({ name }) => !knownHeavy.has(name));

/** All of them, in the order in which they are fired: objects of one are there for the next. */
export const rows: readonly HostileRow[] = [
  ...http1Rows,
  ...headerRows,
  ...http2Rows,
  ...connectionRows,
  ...streamRows,
  ...apiRows,
  ...documentRows,
  ...objectRows,
  ...expressionRows,
];
