import { expect } from 'chai';
import type { KubeObject } from '../object/object.ts';
import { isDefaulted } from './is-defaulted.ts';

describe('isDefaulted', () => {
  const defaulted = (object: KubeObject, set: (object: KubeObject) => void): boolean =>
    isDefaulted(object, { applyDefaults: set });
  const given = (): KubeObject => ({
    kind: 'Thing',
    metadata: { name: 'a', labels: { a: 'b' }, managedFields: [{ manager: 'm' }] },
    spec: { size: 3, on: false, text: '', list: [{ a: null }], large: 1n },
  });
  const spec = (object: KubeObject): Record<string, unknown> => object['spec'] as Record<string, unknown>;

  it('is so where nothing is set, or what is there already, or undefined', () => {
    expect(defaulted(given(), () => undefined)).to.equal(true);
    expect(
      defaulted(given(), (object) => {
        spec(object)['size'] = 3;
        spec(object)['none'] = undefined;
      }),
    ).to.equal(true);
  });

  for (const [what, set] of [
    ['a member', (object) => (spec(object)['more'] = {})],
    ['a text for an empty one', (object) => (spec(object)['text'] = 'x')],
    ['another number', (object) => (spec(object)['size'] = 1)],
    ['another large number', (object) => (spec(object)['large'] = 2n)],
    ['a number below zero', (object) => (spec(object)['more'] = -2)],
    ['true for false', (object) => (spec(object)['on'] = true)],
    ['a value for null', (object) => (((spec(object)['list'] as Record<string, unknown>[])[0] ?? {})['a'] = 'x')],
    ['an item', (object) => (spec(object)['list'] as unknown[]).push('x')],
    ['a label', (object) => ((object.metadata?.labels ?? {})['c'] = '')],
  ] as readonly (readonly [string, (object: KubeObject) => unknown])[])
    it(`is not where setting defaults makes ${what}`, () => {
      expect(defaulted(given(), (object) => void set(object))).to.equal(false);
    });

  for (const seconds of [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 2 ** 63, -(2 ** 63)])
    it(`is not where something is set beside ${typeof seconds} ${seconds}`, () => {
      const object = given();
      spec(object)['seconds'] = seconds;
      expect(defaulted(object, () => (spec(object)['restartPolicy'] = 'Always'))).to.equal(false);
    });
});
