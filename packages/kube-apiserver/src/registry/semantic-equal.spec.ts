import { expect } from 'chai';
import { semanticEqual } from './semantic-equal.ts';

const rows: readonly (readonly [name: string, a: unknown, b: unknown, equal: boolean])[] = [
  ['absent and null', undefined, null, true],
  ['absent and empty object', undefined, {}, true],
  ['absent and empty list', { a: 1 }, { a: 1, b: [] }, true],
  ['nested emptiness', { spec: { template: {} } }, {}, true],
  ['an empty map', { labels: {} }, {}, true],
  ['a pointer to an empty struct', { emptyDir: {} }, {}, false],
  ['a pointer to an empty struct inside', { spec: { selector: {} } }, { spec: {} }, false],
  ['two pointers to empty structs', { emptyDir: {} }, { emptyDir: {} }, true],
  ['different numbers', { a: 1 }, { a: 2 }, false],
  ['zero is not absent', { a: 0 }, {}, false],
  [
    'zero is absent in fields that are never left out',
    { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } },
    { resourceFieldRef: { resource: 'limits.cpu' } },
    true,
  ],
  ['another divisor', { divisor: '1' }, {}, false],
  ['the number of an iSCSI unit', { iqn: 'i', lun: 0 }, { iqn: 'i' }, true],
  ['that of a fibre channel', { wwids: ['w'], lun: 0 }, { wwids: ['w'] }, false],
  ['no service of a stateful set', { serviceName: '' }, {}, true],
  ['resources of a pod', { containers: [{ name: 'c' }], resources: {} }, { containers: [{ name: 'c' }] }, false],
  ['resources of a container', { name: 'c', resources: {} }, { name: 'c' }, true],
  [
    'all pods as those of a peer of a network policy',
    { namespaceSelector: {}, podSelector: {} },
    { namespaceSelector: {} },
    false,
  ],
  [
    'all pods as those of a network policy',
    { podSelector: {}, policyTypes: ['Ingress'] },
    { policyTypes: ['Ingress'] },
    true,
  ],
  ['lists in another order', [1, 2], [2, 1], false],
  ['a list and an object', { a: [1] }, { a: { 0: 1 } }, false],
  ['one key more', { a: 1 }, { a: 1, b: 2 }, false],
  ['one key less', { a: 1, b: 2 }, { a: 1 }, false],
];

describe('semanticEqual', () => {
  for (const [name, a, b, equal] of rows)
    it(name, () => {
      expect([semanticEqual(a, b), semanticEqual(b, a)]).to.deep.equal([equal, equal]);
    });
});
