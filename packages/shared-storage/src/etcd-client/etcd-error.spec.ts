import { expect } from 'chai';
import { errorFromGrpcStatus } from './etcd-error.ts';

describe('errors of etcd', () => {
  it('are known by their texts, whatever the status', () => {
    const of = (status: number, message: string): string => errorFromGrpcStatus(status, message).code;
    expect(of(11, 'etcdserver: mvcc: required revision has been compacted')).to.equal('Compacted');
    expect(of(8, 'etcdserver: mvcc: database space exceeded')).to.equal('NoSpace');
    expect(of(2, 'context deadline exceeded')).to.equal('DeadlineExceeded');
  });
  it('are known by their status otherwise', () => {
    const { code, message } = errorFromGrpcStatus(14, 'etcdserver: leader changed');
    expect([code, message]).to.deep.equal(['Unavailable', 'etcdserver: leader changed']);
    expect(errorFromGrpcStatus(2, '').message).to.equal('etcd answered with gRPC status 2');
    expect(errorFromGrpcStatus(2, '').code).to.equal('Internal');
  });
});
