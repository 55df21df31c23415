import { expect } from 'chai';
import { LoopTurns } from './loop-turns.ts';

describe('LoopTurns', () => {
  const setUp = () => {
    let nowMs = 0;
    let due: (() => void)[] = [];
    const turns = new LoopTurns({ now: () => nowMs, soon: (action) => due.push(action) });
    const worked: string[] = [];
    return {
      worked,
      /** Takes so many steps of so many milliseconds. */
      work: async (name: string, steps: number, stepMs: number): Promise<void> => {
        for (let i = 0; i < steps; i++) {
          nowMs += stepMs;
          worked.push(name);
          await turns.next();
        }
      },
      /** What is done until the loop has been around, by whom and for how long. */
      around: async (): Promise<string> => {
        const began = nowMs;
        worked.length = 0;
        const now = due;
        due = [];
        for (const action of now) action();
        for (let i = 0; i < 100; i++) await Promise.resolve();
        return `${[...new Set(worked)].join('+')} ${nowMs - began}`;
      },
    };
  };

  it('let all who work go on for ten milliseconds together, one after the other', async () => {
    const { work, around, worked } = setUp();
    const done = Promise.all([work('a', 10, 4), work('b', 10, 4), work('c', 10, 4)]);
    for (let i = 0; i < 100; i++) await Promise.resolve();
    expect(worked.length).to.be.at.most(6);
    const turns: string[] = [];
    for (let i = 0; i < 6; i++) turns.push(await around());
    expect(turns).to.deep.equal(['a 12', 'b 12', 'c 12', 'a 12', 'b 12', 'c 12']);
    for (let i = 0; i < 20; i++) await around();
    await done;
  });

  it('make nobody wait whose steps are short', async () => {
    const { work, around } = setUp();
    let done = false;
    void work('a', 2, 3).then(() => (done = true));
    for (let i = 0; i < 10; i++) await Promise.resolve();
    expect(done).to.equal(true);
    expect(await around()).to.equal(' 0');
    expect(await around()).to.equal(' 0');
  });
});
