import { expect } from 'chai';
import { Turns } from '../../request/turns.ts';
import { LargeObjectError } from '../../request/side-server.ts';
import { beginWithExpressions } from './begin-with-expressions.ts';

describe('beginWithExpressions', () => {
  it('leaves more expressions to the side server than are compiled at once', () => {
    const turns = new Turns();
    beginWithExpressions({ turns }, 1_000_000);
    turns.refuseLarge(true);
    beginWithExpressions({ turns }, 1_250);
    expect(() => {
      beginWithExpressions({ turns }, 1_251);
    }).to.throw(LargeObjectError);
    beginWithExpressions({}, 1_000_000);
  });
});
