import { expect } from 'chai';
import { giveBack, inBatches, listInBatches, listSize, type JSONList } from './batches.ts';

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

describe('batches of a list', () => {
  const item = (length: number): Buffer => Buffer.from(`{"kind":"A","text":"${'x'.repeat(length)}"}`);
  const skip = '{"kind":"A",'.length;
  const of = (items: readonly Uint8Array[], rest: Partial<JSONList> = {}): JSONList => ({
    head: Buffer.from('{"items":['),
    items,
    skip,
    end: Buffer.from(']}\n'),
    ...rest,
  });
  const short = [item(3), item(0), item(5)];
  const textOf = (list: JSONList): string => Buffer.concat([...listInBatches(list)]).toString();

  it('leave out what all items begin with', () => {
    expect(textOf(of(short))).to.equal('{"items":[{"text":"xxx"},{"text":""},{"text":"xxxxx"}]}\n');
  });
  it('leave whole what has nothing to leave out', () => {
    expect(textOf(of(short.slice(0, 2), { skip: 0 }))).to.equal(
      '{"items":[{"kind":"A","text":"xxx"},{"kind":"A","text":""}]}\n',
    );
  });
  it('have no comma where there is one item, or none', () => {
    expect(textOf(of([]))).to.equal('{"items":[]}\n');
    expect(textOf(of([item(1)]))).to.equal('{"items":[{"text":"x"}]}\n');
  });
  for (const [what, lengths] of [
    ['of any sizes', [10, 40 * KIB, 30 * KIB, 100 * KIB, 5, 64 * KIB, 64 * KIB - 25, 1]],
    ['that end where a batch does', [64 * KIB - 24, 64 * KIB - 23, 64 * KIB - 22, 64 * KIB - 13]],
    ['by the thousand', Array.from({ length: 3000 }, (_, i) => i % 97)],
  ] as const)
    it(`hold items ${what}, and as many bytes as they said`, () => {
      for (const before of [0, skip]) {
        const list = of(lengths.map(item), { skip: before });
        const text = textOf(list);
        expect(text.length).to.equal(listSize(list));
        const { items } = JSON.parse(text) as { items: { text: string }[] };
        expect(items.map((one) => one.text.length)).to.deep.equal(lengths);
      }
    });
});
