import type { FlowSchema } from '@kubechain/apimachinery/types/flowcontrol/v1';
import { expect } from 'chai';
import { byPrecedence } from './table.ts';

const schema = (name: string, matchingPrecedence?: number): FlowSchema =>
  ({ metadata: { name }, spec: matchingPrecedence === undefined ? {} : { matchingPrecedence } }) as FlowSchema;

describe('tables of flow schemas', () => {
  it('are in the order of matching, and by name where that is the same', () => {
    const schemas = [schema('catch-all', 10_000), schema('b', 800), schema('probes', 2), schema('a', 800), schema('z')];
    expect(schemas.toSorted(byPrecedence).map(({ metadata }) => metadata?.name)).to.deep.equal([
      'z',
      'probes',
      'a',
      'b',
      'catch-all',
    ]);
  });
});
