import { parseLabelSelector, selectorFromMap, selectorFromObject, type LabelSelector } from '@kubechain/apimachinery';
import { expect } from 'chai';
import fc from 'fast-check';
import { SelectorIndex, type Labels } from './selector-index.ts';

const candidates = (index: SelectorIndex, labels: Labels, namespace = 'n'): string[] =>
  Array.from(index.candidates(namespace, labels), ([key]) => key).sort();

describe('SelectorIndex', () => {
  const index = (selectors: Readonly<Record<string, string | LabelSelector>>): SelectorIndex => {
    const made = new SelectorIndex();
    for (const [key, selector] of Object.entries(selectors))
      made.set(key, typeof selector === 'string' ? parseLabelSelector(selector) : selector);
    return made;
  };

  it('finds selectors by a label that they ask for, by each of its values, and those that ask for none', () => {
    const found = index({
      'n/web': 'app=web',
      'n/both': 'app in (web,api)',
      'n/other': 'app=other',
      'n/not': 'app!=web',
      'n/has': 'app',
      'n/everything': '',
      'n/nothing': selectorFromObject(undefined),
      'm/web': 'app=web',
    });
    expect(candidates(found, { app: 'web' })).to.deep.equal(['n/both', 'n/everything', 'n/has', 'n/not', 'n/web']);
    expect(candidates(found, { app: 'api', x: 'y' })).to.deep.equal(['n/both', 'n/everything', 'n/has', 'n/not']);
    expect(candidates(found, { app: 'web' }, 'm')).to.deep.equal(['m/web']);
    expect(candidates(found, { app: 'web' }, 'none')).to.deep.equal([]);
  });

  it('looks at few of thousands, also where all ask for a label that is the same', () => {
    const found = new SelectorIndex();
    for (let i = 0; i < 5_000; i++) found.set(`n/s${i}`, selectorFromMap({ team: 'all', app: `v${i}` }));
    // The first one had no others to keep away from.
    expect(candidates(found, { team: 'all', app: 'v4999', a: '1' })).to.have.length.at.most(2);
  });

  it('knows the newest selector of an object', () => {
    const found = index({ 'n/a': 'app=web' });
    found.set('n/a', parseLabelSelector('app=api'));
    expect([candidates(found, { app: 'web' }), candidates(found, { app: 'api' })]).to.deep.equal([[], ['n/a']]);
    found.set('n/a', undefined);
    expect(candidates(found, { app: 'api' })).to.deep.equal([]);
    found.set('n/a', parseLabelSelector(''));
    found.set('n/a', selectorFromObject(undefined));
    expect(candidates(found, { app: 'api' })).to.deep.equal([]);
    found.set('n/a', parseLabelSelector('app'));
    found.delete('n/a');
    found.delete('n/a');
    expect(candidates(found, { app: 'api' })).to.deep.equal([]);
  });

  it('is not under each of many values that a selector asks for', () => {
    const values = Array.from({ length: 100_000 }, (_, i) => `v${i}`);
    const found = index({
      'n/many': selectorFromObject({ matchExpressions: [{ key: 'app', operator: 'In', values }] }),
    });
    expect(candidates(found, { other: 'label' })).to.deep.equal(['n/many']);
    found.set(
      'n/many',
      selectorFromObject({ matchLabels: { tier: 'a' }, matchExpressions: [{ key: 'app', operator: 'In', values }] }),
    );
    expect([candidates(found, { app: 'v1' }), candidates(found, { tier: 'a' })]).to.deep.equal([[], ['n/many']]);
  });

  it('misses nothing that matches, and shows nothing twice', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const value = fc.constantFrom('1', '2', '3');
    const values = fc.uniqueArray(value, { minLength: 1 });
    const expression = fc.oneof(
      fc.record({ key: name, operator: fc.constantFrom('In', 'NotIn'), values }),
      fc.record({ key: name, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
    );
    const selector = fc.record({
      matchLabels: fc.dictionary(name, value),
      matchExpressions: fc.array(expression, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(selector, { maxLength: 20 }), fc.dictionary(name, value), (objects, labels) => {
        const found = new SelectorIndex();
        const selectors = new Map(objects.map((object, i) => [`n/${i}`, selectorFromObject(object)]));
        for (const [key, each] of selectors) found.set(key, each);
        const shown = candidates(found, labels);
        expect(new Set(shown).size).to.equal(shown.length);
        for (const [key, each] of selectors) if (each.matches(labels)) expect(shown).to.include(key);
      }),
    );
  });
});
