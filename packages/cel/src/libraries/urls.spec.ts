import { expect } from 'chai';
import { compileExpression, isCompileFailure } from '../compile.ts';
import { stringType } from '../types/types.ts';
import { baseFunctions } from './libraries.ts';

describe('getQuery', () => {
  it('takes as long as the query is, of however many values of one name', function () {
    this.timeout(60_000);
    const variables = new Map([['u', stringType]]);
    const program = compileExpression('url(u).getQuery()["a"].size()', { variables, functions: baseFunctions });
    if (isCompileFailure(program)) throw new TypeError(program.text);
    const { user } = process.cpuUsage();
    expect(program.run([`https://e.com/?${'a&'.repeat(30_000)}`], 1_000_000)).to.include({ result: 30_000n });
    // In proportion to its square it took 3,000 ms.
    expect((process.cpuUsage().user - user) / 1_000).to.be.lessThan(1_500);
  });
});
