import { expect } from 'chai';
import { FewAtOnce } from './few-at-once.ts';

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('FewAtOnce', () => {
  it('asks one server four questions at a time, in order, and others meanwhile', async () => {
    const few = new FewAtOnce();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (key: string, name: string, fails = false): Promise<void> =>
      few.ask(key, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (fails) throw new Error(name);
      });
    const first = ask('a', 'a0', true).catch(() => undefined);
    const rest = [1, 2, 3, 4, 5].map((i) => ask('a', `a${i}`));
    const other = ask('b', 'b0');
    await soon();
    expect(begun).to.deep.equal(['a0', 'a1', 'a2', 'a3', 'b0']);
    ends.shift()?.();
    await first;
    await soon();
    expect(begun.slice(5)).to.deep.equal(['a4']);
    while (begun.length < 7 || ends.length > 0) {
      ends.shift()?.();
      await soon();
    }
    await Promise.all([...rest, other]);
    expect(begun.slice(5)).to.deep.equal(['a4', 'a5']);
  });
});
