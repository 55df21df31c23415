import { expect } from 'chai';
import { badRequest } from '@kubechain/apimachinery';
import { errorToStatus } from './error-to-status.ts';

describe('errorToStatus', () => {
  const overflow = (): never => {
    const deeper = (): number => deeper() + 1;
    throw new Error(String(deeper()));
  };
  const thrownBy = (work: () => never): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  it('takes what an error says, and 500 for one that says nothing', () => {
    expect(errorToStatus(badRequest('no'))).to.deep.include({ code: 400, message: 'no' });
    expect(errorToStatus(new RangeError('odd'))).to.deep.include({ code: 500, message: 'odd' });
  });

  it('blames the client for callStack: what it sent nests too deeply', () => {
    expect(errorToStatus(thrownBy(overflow))).to.deep.include({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: the object nests too deeply',
    });
  });
});
