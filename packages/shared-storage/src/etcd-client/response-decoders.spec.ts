import { WireWriter } from '@kubechain/apimachinery/wire';
import { expect } from 'chai';
import { EtcdError } from './etcd-error.ts';
import { encodePut, encodeTxn } from './request-encoders.ts';
import { decodeLease, decodeRange, decodeStatus, decodeTxn, decodeWatch, decodeWrite } from './response-decoders.ts';

describe('messages of etcd', () => {
  it('that are malformed are errors of etcd, with what is wrong', () => {
    const rows: [hex: string, text: string][] = [
      ['0a05', 'etcd sent a malformed message: unexpected EOF'],
      ['0f', 'etcd sent a malformed message: proto: illegal wireType 7'],
      ['80808080808080808080', 'etcd sent a malformed message: proto: integer overflow'],
      ['02', 'etcd sent a malformed message: proto: illegal tag 0 (wire type 2)'],
    ];
    for (const decode of [decodeLease, decodeRange, decodeStatus, decodeTxn, decodeWatch, decodeWrite])
      for (const [hex, text] of rows)
        expect(() => decode(Buffer.from(hex, 'hex')), `${decode.name} ${hex}`)
          .to.throw(EtcdError, text)
          .with.property('code', 'Internal');
  });

  it('are read with revisions, leases of 64 bits and values', () => {
    const writer = new WireWriter();
    writer.integerField(0x20, 7);
    writer.integerField(0x18, 1);
    let before = writer.length;
    writer.integerField(0x30, -(2n ** 60n) - 1n);
    writer.bytesField(0x2a, Buffer.from('value'));
    writer.integerField(0x18, 2 ** 40);
    writer.textField(0x0a, 'key');
    writer.close(0x12, before);
    before = writer.length;
    writer.integerField(0x18, 2 ** 53 - 1);
    writer.close(0x0a, before);
    const { count, kvs, more, revision } = decodeRange(writer.finish());
    expect({ count, more, revision }).to.deep.equal({ count: 7, more: true, revision: 2 ** 53 - 1 });
    expect(kvs).to.have.length(1);
    expect(kvs[0]).to.include({ key: 'key', modRevision: 2 ** 40, lease: -(2n ** 60n) - 1n });
    expect(kvs[0]?.value.toString()).to.equal('value');
  });
});

describe('requests to etcd', () => {
  it('are written in the order of their fields, without defaults', () => {
    const put = encodePut({ key: Buffer.from('k'), value: Buffer.from('v'), lease: '-1', prev_kv: false });
    expect(put.toString('hex')).to.equal('0000000011' + '0a016b' + '120176' + '18ffffffffffffffffff01');
  });

  it('have every compare and operation in its order', () => {
    const key = Buffer.from('k');
    const txn = encodeTxn({
      compare: [
        { result: 'Equal', target: 'Mod', key, mod_revision: 0 },
        { result: 'Greater', target: 'Version', key, version: 300 },
      ],
      success: [{ request_put: { key, value: key } }, { request_delete_range: { key } }],
      failure: [{ request_range: { key, limit: 1 } }],
    });
    expect(txn.subarray(5).toString('hex')).to.equal(
      '0a07' +
        '1002' +
        '1a016b' +
        '3000' +
        ('0a08' + '0801' + '1a016b' + '20ac02') +
        ('1208' + '1206' + '0a016b' + '12016b') +
        ('1205' + '1a03' + '0a016b') +
        ('1a07' + '0a05' + '0a016b' + '1801'),
    );
  });
});
