import { expect } from 'chai';
import { giveBack, inBatches } from './batches.ts';

const part = (length: number, fill: number): Buffer => Buffer.alloc(length, fill);
const KIB = 1024;

describe('batches', () => {
  it('gather small parts and pass large ones, in order', () => {
    const parts = [part(10, 1), part(40 * KIB, 2), part(30 * KIB, 3), part(100 * KIB, 4), part(5, 5)];
    const batches = [...inBatches(parts)];
    expect(batches.map(({ length }) => length)).to.deep.equal([40 * KIB + 10, 30 * KIB, 100 * KIB, 5]);
    expect(Buffer.concat(batches).equals(Buffer.concat(parts))).to.equal(true);
    expect(batches[2]).to.equal(parts[3]);
  });
  it('use memory again only after it was given back', () => {
    const [first] = [...inBatches([part(10, 1)])];
    const [second] = [...inBatches([part(10, 2)])];
    expect(second!.buffer).not.to.equal(first!.buffer);
    giveBack(second!);
    const [third] = [...inBatches([part(10, 3)])];
    expect(third!.buffer).to.equal(second!.buffer);
    expect(first!.every((byte) => byte === 1)).to.equal(true);
  });
  it('take nothing back twice, and nothing that is not theirs', () => {
    const [batch] = [...inBatches([part(10, 1)])];
    giveBack(batch!);
    giveBack(batch!);
    giveBack(part(64 * KIB, 1));
    const [one] = [...inBatches([part(10, 1)])];
    const [other] = [...inBatches([part(10, 2)])];
    expect(one!.buffer).not.to.equal(other!.buffer);
  });
});
