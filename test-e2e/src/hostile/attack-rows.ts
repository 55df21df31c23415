import { admissionRows } from './admission-rows.ts';
import { backendRows } from './backend-rows.ts';
import { burdenRows } from './burden-rows.ts';
import { configurationRows } from './configuration-rows.ts';
import { connectionFloods } from './connection-floods.ts';
import { crowdRows } from './crowd-rows.ts';
import { definitionRows } from './definition-rows.ts';
import { extensionRows } from './extension-rows.ts';
import { floodRows } from './flood-rows.ts';
import { kubeletRows } from './kubelet-rows.ts';
import { manyRows } from './many-rows.ts';
import { multipliedRows } from './multiplied-rows.ts';
import { nestingRows } from './nesting-rows.ts';
import { oddRows } from './odd-rows.ts';
import { policyRows } from './policy-rows.ts';
import { pouringRows } from './pouring-rows.ts';
import { registeredRows } from './registered-rows.ts';
import type { HostileRow } from './row.ts';
import { ciRows, rows } from './rows.ts';
import { smugglingRows } from './smuggling-rows.ts';
import { watcherRows } from './watcher-rows.ts';

/**
 * Rows whose answers are not compared one by one: what a machine has time for decides some of them, and the reference
 * has none in time for others.
 */
export const attackRows: readonly HostileRow[] = [
  ...rows.filter((row) => !ciRows.includes(row)),
  ...floodRows,
  ...connectionFloods,
  ...smugglingRows,
  ...oddRows,
  ...nestingRows,
  ...burdenRows,
  ...backendRows,
  ...extensionRows,
  ...kubeletRows,
  ...admissionRows,
  ...configurationRows,
  ...crowdRows,
  ...manyRows,
  ...registeredRows,
  ...policyRows,
  ...definitionRows,
  ...pouringRows,
  ...multipliedRows,
  ...watcherRows,
];

/** Those that are about what the row before them has left; before all others, nothing is left. */
export const followUps: ReadonlySet<string> = new Set([
  'an object for them, of 50,000 letters',
  'an object for it, of 50,000 items',
  'an object for it, of 30,000 items',
  'an object for them, of keys of 40,000 digits, as YAML',
  'an object for them, of 1,200 levels, as YAML',
  '30 objects for it',
  '5 Tables of them',
  'an object for it, of 300 letters',
  '50 pods for them',
  'the end of them',
  'their bindings',
  '50 reviews of those rules',
  '200 questions about them',
  '200 requests by those rules',
  'the end of those rules',
  'a list by selected fields that are not there',
  'an object for it, of 500,000 letters',
  '50 objects for it, of 100 items',
  '12 Tables of them at once',
  '12 Tables of them at once, with the objects',
  '12 lists of them at once in YAML',
  '12 lists of them at once in protobuf',
  '12 lists of their metadata at once',
  '12 lists of them at once, indented',
  '12 lists of them at once by other keys',
  '30 watches of them from the beginning',
  '30 patches of one of them at once',
  'deletions of all of them, 12 times',
]);

const unconverted = 'kube-apiserver answers 500 where a conversion fails';
const larger = 'what is stored is larger than the store takes, which is a 500 of kube-apiserver over etcd as well';
const patches = 'kube-apiserver 1.36.2 answers 500 to it, too';

/** Why a row may be answered with 500 all the same. */
export const failures: ReadonlyMap<string, string> = new Map([
  ['strategic patch: an order of 100,000', patches],
  ['strategic patch: 100,000 finalizers to be deleted', patches],
  ['strategic patch: 50,000 replacements of one item', patches],
  ['apply: 50,000 containers, each twice', patches],
  ['apply: 100,000 items of a set', patches],
  ['versions of 10^300', patches],
  ['continue tokens without sense', patches],
  [
    '30 services for all node ports',
    'there are 2,768 of them: whoever finds none left gets 500 from kube-apiserver, too',
  ],
  ...backendRows.map(({ name }): [string, string] => [name, unconverted]),
  ['12 pods of 20,000 containers at once', larger],
  ['12 applied objects of 100,000 keys at once', larger],
  ['12 strategic patches of 100,000 keys at once', larger],
]);
