import { StatusError } from '@kubechain/apimachinery';
import { StorageError } from '@kubechain/shared-storage';
import type { StorageErrorCode } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { interpretStorageError } from './storage-errors.ts';
import type { StorageOperation } from './storage-errors.ts';

const resource = { group: 'apps', resource: 'deployments' };

describe('interpretStorageError', () => {
  const rows: readonly (readonly [
    code: StorageErrorCode,
    operation: StorageOperation,
    status: number,
    message: string,
  ])[] = [
    ['KeyNotFound', 'get', 404, 'deployments.apps "x" not found'],
    ['KeyExists', 'create', 409, 'deployments.apps "x" already exists'],
    ['KeyExists', 'update', 409, 'Operation cannot be fulfilled on deployments.apps "x": why'],
    ['InvalidObject', 'delete', 409, 'Operation cannot be fulfilled on deployments.apps "x": why'],
    ['Unreachable', 'list', 504, 'Timeout: request did not complete within the allotted timeout'],
    [
      'Timeout',
      'create',
      504,
      'Timeout: request did not complete within requested timeout - context deadline exceeded',
    ],
    ['Unreachable', 'watch', 500, 'context deadline exceeded'],
    ['CorruptObject', 'get', 500, 'Internal error occurred: why'],
    ['ResourceExpired', 'list', 410, 'why'],
    ['TooLargeResourceVersion', 'list', 504, 'Timeout: why'],
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

  it('names a time to wait for a store only where nothing can have come of the request', () => {
    const details = (operation: StorageOperation, error: StorageError): unknown =>
      (interpretStorageError(error, operation, resource, 'x') as StatusError).status.details;
    const lost = new StorageError('Unreachable', 'why', { retryAfterSeconds: 1 });
    const notSent = new StorageError('Unreachable', 'why', { retryAfterSeconds: 1, notSent: true });
    const overdue = new StorageError('Timeout', 'why', { retryAfterSeconds: 1 });
    for (const operation of ['create', 'update', 'delete'] as const) {
      expect(details(operation, lost)).to.deep.equal({});
      expect(details(operation, overdue)).to.deep.equal({});
      expect(details(operation, notSent)).to.deep.equal({ retryAfterSeconds: 1 });
    }
    for (const operation of ['get', 'list'] as const)
      for (const error of [lost, overdue, notSent])
        expect(details(operation, error)).to.deep.equal({ retryAfterSeconds: 1 });
  });

  it('names a time to wait for a revision only where the storage has one', () => {
    const retryAfter = (retryAfterSeconds: number): unknown => {
      const error = new StorageError('TooLargeResourceVersion', 'why', { key: '/k', retryAfterSeconds });
      return (interpretStorageError(error, 'list', resource, 'x') as StatusError).status.details;
    };
    const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
    expect(retryAfter(0)).to.deep.equal({ causes });
    expect(retryAfter(1)).to.deep.equal({ causes, retryAfterSeconds: 1 });
  });

  it('answers what cannot be decoded without a reason, but in watches', () => {
    const error = new StorageError('CorruptObject', 'why', { undecodable: true });
    expect(interpretStorageError(error, 'get', resource, 'x')).to.equal(error);
    expect(interpretStorageError(error, 'watch', resource, 'x')).to.have.property(
      'message',
      'Internal error occurred: why',
    );
  });

  it('answers with what a parser says where a cache was asked for one object', () => {
    const error = new StorageError('InvalidResourceVersion', 'why', { unparsed: true });
    expect(interpretStorageError(error, 'get', resource, 'x')).to.equal(error);
    expect(
      interpretStorageError(new StorageError('InvalidResourceVersion', 'why'), 'get', resource, 'x'),
    ).to.have.nested.property('status.code', 400);
  });

  it('names what a list could not read', () => {
    const error = interpretStorageError(
      new StorageError('StoreReadError', 'why', {
        unreadable: [
          { key: '/registry/deployments/a/b', message: 'bad' },
          { key: undefined, message: 'more' },
        ],
      }),
      'list',
      resource,
      '',
    );
    expect((error as StatusError).status).to.deep.include({
      code: 500,
      reason: 'StorageReadError',
      message: 'failed to read one or more deployments.apps from the storage',
      details: {
        name: 'list',
        group: 'apps',
        kind: 'deployments',
        causes: [
          { reason: 'UnexpectedServerResponse', message: 'bad', field: '/registry/deployments/a/b' },
          { reason: 'FieldValueTooMany', message: 'more' },
        ],
      },
    });
  });

  it('says of a deleted object that it could not be read', () => {
    const error = interpretStorageError(
      new StorageError('StoreReadError', 'saw a DELETED event'),
      'watch',
      resource,
      '',
    );
    expect((error as StatusError).status)
      .to.include({ code: 500, reason: 'StorageReadError', message: 'saw a DELETED event' })
      .and.not.to.have.property('details');
  });

  it("leaves other errors alone, etcd's own among them", () => {
    for (const error of [
      new TypeError('x'),
      new StorageError('RequestTooLarge', 'etcdserver: request is too large'),
      new StorageError('NoSpace', 'etcdserver: mvcc: database space exceeded'),
      new StorageError('Refused', 'etcdserver: corrupt cluster'),
    ]) {
      expect(interpretStorageError(error, 'update', resource, 'x')).to.equal(error);
    }
  });
});
