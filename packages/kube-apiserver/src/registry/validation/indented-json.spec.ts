import { expect } from 'chai';
import fc from 'fast-check';
import { indentedJSON } from './indented-json.ts';
import { internalDiff } from './internal-diff.ts';

describe('indented JSON', () => {
  it('is what JSON.stringify writes with a space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(indentedJSON(JSON.stringify(value))).to.equal(JSON.stringify(value, null, ' '));
      }),
    );
  });

  it('has numbers of 64 bits in diffs', () => {
    const spec = (seconds: bigint): object => ({ terminationGracePeriodSeconds: seconds });
    expect(internalDiff('core.PodSpec', { before: spec(2n ** 62n), after: spec(2n ** 62n + 1n) })).to.include(
      '+ "TerminationGracePeriodSeconds": 4611686018427387905,',
    );
  });

  it('has the keys of maps by their texts in diffs, numbers as well', () => {
    const container = (requests: object): object => ({ containers: [{ name: 'c', resources: { requests } }] });
    const diff = internalDiff('core.PodSpec', {
      before: container({ cpu: '1' }),
      after: container({ '': '2', 1: '0', 10: '0', 9: '0', cpu: '1' }),
    });
    expect(diff.split('\n').filter((line) => /^[+-] /.test(line))).to.deep.equal([
      '+     "": "2",',
      '+     "1": "0",',
      '+     "10": "0",',
      '+     "9": "0",',
    ]);
  });
});
