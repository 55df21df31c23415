import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { setWarnings } from './list-type-warnings.ts';

const setOf = (type: string): KubeObject => ({
  metadata: {},
  spec: {
    versions: [
      {
        name: 'v1',
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { l: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type } } },
          },
        },
      },
    ],
  },
});
const warning = (type: string): string =>
  `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL ` +
  'validation rules';

describe('setWarnings', () => {
  it('warns of sets of objects and of lists', () => {
    expect(setWarnings(setOf('object'))).to.deep.equal([warning('object')]);
    expect(setWarnings(setOf('array'))).to.deep.equal([warning('array')]);
  });

  it('takes sets of scalars as they are', () => {
    expect(setWarnings(setOf('string'))).to.deep.equal([]);
  });

  it('warns of what an update brings only', () => {
    expect(setWarnings(setOf('object'), setOf('object'))).to.deep.equal([]);
    expect(setWarnings(setOf('object'), setOf('array'))).to.deep.equal([warning('object')]);
  });
});
