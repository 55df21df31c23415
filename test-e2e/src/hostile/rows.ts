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

/**
 * Rows whose one object, as large as a body may be, takes more than a second of the processor, or more than the store
 * takes in one message: `npm run hostile` fires them, and they are not part of CI (docs/security.md).
 */
export const knownHeavy: ReadonlySet<string> = new Set([
  'a review with 50,000 extras',
  'a definition of 200 versions',
  'defaults within defaults',
  'an object for them, which is empty',
  'a strategic patch of 20,000 containers',
  'a review of a selector of 50,000 requirements',
  'continue tokens without sense',
  'a pod of 20,000 containers',
  'a pod of 20,000 containers of one name',
  'a pod of 20,000 ports',
  'a pod of 20,000 volumes',
  'a pod of 10,000 mounts of one volume',
  '100,000 finalizers',
  'a label of odd letters',
  'a service of 50,000 addresses from outside',
  '30 services for all node ports',
  'a network policy of 20,000 peers',
  'an ingress of 20,000 paths',
  'a quota of 20,000 resources',
  '20,000 ephemeral containers',
  'a status of 20,000 conditions',
  'a rule with a pattern of 100,000 letters',
  'a rule of a text of a megabyte',
  'a definition of 20,000 properties',
  'a schema that is many times itself',
  'an object for them, of 50,000 letters',
  'an object for it, of 50,000 items',
  'an object for it, of 30,000 items',
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
