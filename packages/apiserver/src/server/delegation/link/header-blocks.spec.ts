import { expect } from 'chai';
import { LinkProtocolError } from './frames.ts';
import { readFields } from './fields.ts';
import { ReceivedBlocks, SentBlocks } from './header-blocks.ts';

describe('header blocks', () => {
  it('are defined once, and known by their number', () => {
    const sent = new SentBlocks();
    const defined: string[] = [];
    const define = (number: number, text: string): void => {
      defined.push(`${number}=${text}`);
    };
    expect(['a', 'b', 'a'].map((value) => sent.numberOf(['Name', value], define))).to.deep.equal([0, 1, 0]);
    expect(defined).to.deep.equal(['0=Name\na\n', '1=Name\nb\n']);
  });
  it('mean the same on both sides, however many there are', () => {
    const sent = new SentBlocks();
    const received = new ReceivedBlocks();
    for (let i = 0; i < 3_000; i++) {
      const fields = ['X-Remote-User', `user-${i % 1_500}`];
      const number = sent.numberOf(fields, (at, text) => {
        received.define(at, readFields(Buffer.from(text)));
      });
      const block = received.get(number as number);
      expect(block.raw).to.deep.equal(fields);
      expect(block.identity?.user.name).to.equal(fields[1]);
    }
  });
  it('of long texts do not pile up', () => {
    const sent = new SentBlocks();
    const numbers = new Set<number | undefined>();
    for (let i = 0; i < 20; i++) numbers.add(sent.numberOf(['X', `${i}${'x'.repeat(1_000_000)}`], () => undefined));
    expect(numbers.size).to.be.at.most(4);
  });
  it('are refused out of turn, undefined and half', () => {
    const received = new ReceivedBlocks();
    expect(() => {
      received.define(1, ['a', 'b']);
    }).to.throw(LinkProtocolError);
    expect(() => received.get(0)).to.throw(LinkProtocolError);
    expect(() => {
      received.define(0, ['a']);
    }).to.throw(LinkProtocolError);
  });
});
