import { expect } from 'chai';
import { limits } from '../../limits/limits.ts';
import { readCBOR } from './cbor.ts';
import { checkWellFormed } from './well-formed.ts';

describe('checkWellFormed', () => {
  const nested = (depth: number): Buffer => Buffer.concat([Buffer.alloc(depth, 0x81), Buffer.from([0])]);

  it('refuses what is nested deeper than it is read (cborDepth)', () => {
    const { value } = limits.cborDepth;
    const check = (bytes: Uint8Array): void => {
      checkWellFormed(bytes, { outside: true });
    };
    check(nested(value));
    expect(() => {
      check(nested(value + 1));
    }).to.throw(`cbor: exceeded max nested level ${value}`);
    // Tags before each other count from the second one on.
    const tags = Buffer.concat([Buffer.alloc(value + 2, 0xc6), Buffer.from([0])]);
    check(tags.subarray(1));
    expect(() => {
      check(tags);
    }).to.throw(`cbor: exceeded max nested level ${value}`);
  });

  it('refuses more values than a client may send', () => {
    const { value } = limits.bodyValues;
    const head = Buffer.from([0x9a, 0, 0, 0, 0]);
    head.writeUInt32BE(value + 1, 1);
    const list = Buffer.concat([head, Buffer.alloc(value + 1)]);
    expect(() => readCBOR(list)).to.throw(`Request entity too large: limit is ${value} values`);
  });

  it('counts pieces of strings among them, empty ones as well', () => {
    const { value } = limits.bodyValues;
    const pieces = (count: number): Buffer =>
      Buffer.concat([Buffer.from([0x7f]), Buffer.alloc(count, 0x60), Buffer.from([0x61, 0x78, 0xff])]);
    expect(readCBOR(pieces(value - 1))).to.equal('x');
    expect(() => readCBOR(pieces(value))).to.throw(`Request entity too large: limit is ${value} values`);
  });
});
