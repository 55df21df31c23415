import type { Answer } from './answers.ts';
import { attackSuite } from './attack-suite.ts';
import { manyRows } from './many-rows.ts';
import { ciRows } from './rows.ts';
import { watcherRows } from './watcher-rows.ts';

/** Of what processes would refuse to each other; without a hop between them, the store or the rules do. */
const alsoRight = new Map<string, Answer>([
  ['apply: 100,000 paths', { statuses: [500], message: 'etcdserver: request is too large' }],
  // As kube-apiserver: on a stack that no hop has begun anew, there is room to tell what is wrong with each level.
  ['a schema of 1,000 levels of allOf', { statuses: [422] }],
]);

attackSuite('hostile requests to all servers in one process', {
  allInOne: true,
  alsoRight,
  compared: true,
  flags: () => ['--topology=all-in-one'],
  rows: [...ciRows, ...manyRows, ...watcherRows],
});
