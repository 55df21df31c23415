import { StatusError } from '@kubechain/apimachinery';
import { StorageError } from '@kubechain/shared-storage';
import type { StorageErrorCode } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { interpretStorageError } from './storage-errors.ts';
import type { StorageOperation } from './storage-errors.ts';

const resource = { group: 'apps', resource: 'deployments' };

describe('interpretStorageError', () => {
  const rows: readonly (readonly [code: StorageErrorCode, operation: StorageOperation, status: number, message: string])[] = [
    ['KeyNotFound', 'get', 404, 'deployments.apps "x" not found'],
    ['KeyExists', 'create', 409, 'deployments.apps "x" already exists'],
    ['KeyExists', 'update', 409, 'Operation cannot be fulfilled on deployments.apps "x": why'],
    ['InvalidObject', 'delete', 409, 'Operation cannot be fulfilled on deployments.apps "x": why'],
    ['Unreachable', 'list', 500, 'The list operation against deployments.apps could not be completed at this time, please try again.'],
    ['CorruptObject', 'get', 500, 'Internal error occurred: why'],
    ['ResourceExpired', 'list', 410, 'why'],
    ['TooLargeResourceVersion', 'list', 504, 'why'],
    ['InvalidContinue', 'list', 400, 'why'],
    ['NotReady', 'get', 429, 'why'],
  ];
  for (const [code, operation, status, message] of rows) {
    it(`answers ${code} of ${operation} with ${status}`, () => {
      const error = interpretStorageError(new StorageError(code, 'why', { key: '/k' }), operation, resource, 'x');
      expect(error).to.be.instanceOf(StatusError);
      expect((error as StatusError).status).to.deep.include({ code: status, message });
    });
  }

  it('leaves other errors alone', () => {
    const error = new TypeError('x');
    expect(interpretStorageError(error, 'get', resource, 'x')).to.equal(error);
  });
});
