import { expect } from 'chai';
import { sharerOf } from './sharer.ts';

describe('sharers', () => {
  for (const [name, sharer] of [
    ['eve', 'eve'],
    ['', ''],
    ['system:serviceaccount:a:x', 'system:serviceaccount:a:'],
    ['system:serviceaccount:a:y', 'system:serviceaccount:a:'],
    ['system:serviceaccount:kube-system:x', 'system:serviceaccount:kube-system:x'],
    ['system:serviceaccount:kube-system:y', 'system:serviceaccount:kube-system:y'],
    ['system:serviceaccount:kube-systems:y', 'system:serviceaccount:kube-systems:'],
    ['system:serviceaccount:a:', 'system:serviceaccount:a:'],
    ['system:serviceaccount:x', 'system:serviceaccount:x'],
    ['system:serviceaccount:y', 'system:serviceaccount:y'],
    ['system:serviceaccount:kube-system', 'system:serviceaccount:kube-system'],
    ['system:serviceaccount::x', 'system:serviceaccount::x'],
    ['system:serviceaccount::y', 'system:serviceaccount::y'],
    ['system:serviceaccount:', 'system:serviceaccount:'],
    ['system:serviceaccounts', 'system:serviceaccounts'],
  ] as const)
    it(`${JSON.stringify(name)} shares as ${JSON.stringify(sharer)}`, () =>
      expect(sharerOf({ name })).to.equal(sharer));
});
