import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { EventQueue } from './event-queue.ts';

describe('EventQueue', () => {
  let queue: EventQueue;
  let written: string[];
  /** Ends the write that is under way. */
  let answer: () => Promise<void>;
  let add: (namespace: string, name: string) => void;

  beforeEach(() => {
    written = [];
    let answered = Promise.withResolvers<void>();
    answer = async () => {
      answered.resolve();
      answered = Promise.withResolvers();
      await new Promise((resolve) => setImmediate(resolve));
    };
    queue = new EventQueue({ clock: new FakeClock(), waitMs: () => 0, signal: new AbortController().signal });
    add = (namespace, name) =>
      queue.add(namespace, () => {
        written.push(name);
        return answered.promise;
      });
  });

  it('writes one after the other, those of a namespace in order', async () => {
    for (const name of ['a1', 'a2', 'a3']) add('a', name);
    expect(written).to.deep.equal(['a1']);
    for (let i = 0; i < 3; i++) await answer();
    expect(written).to.deep.equal(['a1', 'a2', 'a3']);
  });

  // They were behind a thousand of the other namespace, and dropped where there were more.
  it('writes those of a namespace next, whatever another has to tell', async () => {
    for (let i = 0; i < 5_000; i++) add('a', `a${i}`);
    for (const name of ['b1', 'b2']) add('b', name);
    for (let i = 0; i < 4; i++) await answer();
    expect(written.filter((name) => name.startsWith('b'))).to.deep.equal(['b1', 'b2']);
  });

  it('keeps a thousand of one namespace, and leaves room for others beside many that tell too much', async () => {
    for (let i = 0; i < 5_000; i++) add('a', `a${i}`);
    for (let i = 0; i < 1_000; i++) await answer();
    expect(written).to.have.length(1_001);
    for (let i = 0; i < 5_000; i++) add(`h${i % 50}`, 'h');
    add('b', 'b1');
    for (let i = 0; i < 60; i++) await answer();
    expect(written).to.include('b1');
  });
});
