import { expect } from 'chai';
import { EtcdError } from '../etcd-client/etcd-error.ts';
import { toStorageError } from './storage-errors.ts';

describe('toStorageError', () => {
  it('tells what etcd itself refuses from what went wrong with a call', () => {
    const of = (message: string): unknown => {
      const { code, key, message: text } = toStorageError(new EtcdError('Internal', message), '/registry/pods/a');
      return { code, key, text };
    };
    const key = '/registry/pods/a';
    expect(of('etcdserver: corrupt cluster')).to.deep.equal({
      code: 'Refused',
      key,
      text: 'etcdserver: corrupt cluster',
    });
    expect(of('a call was broken')).to.deep.equal({ code: 'Internal', key, text: 'a call was broken' });
  });

  it('tells whether etcd can know of a call', () => {
    for (const notSent of [true, false])
      expect(toStorageError(new EtcdError('Unavailable', 'away', { notSent }), '/k')).to.include({
        code: 'Unreachable',
        notSent,
      });
  });
});
