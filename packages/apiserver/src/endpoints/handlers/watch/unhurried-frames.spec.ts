import { expect } from 'chai';
import { setImmediate as loopTurn } from 'node:timers/promises';
import type { WatchEvent } from '@kubechain/shared-storage';
import { Turns } from '../../../request/turns.ts';
import { UnhurriedFrames } from './unhurried-frames.ts';

const added = (bytes: number): WatchEvent =>
  ({ type: 'ADDED', record: { json: Buffer.alloc(bytes) } }) as unknown as WatchEvent;

describe('unhurried frames', () => {
  let made: number;
  const frames = (): UnhurriedFrames =>
    new UnhurriedFrames(
      {
        frame: () => {
          made++;
          return Buffer.from('frame');
        },
      },
      new Turns(),
    );
  beforeEach(() => {
    made = 0;
  });

  it('of small objects and bookmarks are made at once', () => {
    expect(frames().frame(added(1_000))).to.be.instanceOf(Buffer);
    expect(frames().frame({ type: 'BOOKMARK', revision: 1, initialEventsEnd: false })).to.be.instanceOf(Buffer);
  });

  it('of large objects are made in a turn of their own', async () => {
    const frame = frames().frame(added(1_000_000));
    await Promise.resolve();
    expect(made).to.equal(0);
    expect(String(await frame)).to.equal('frame');
  });

  it('of large objects, for several watches, let others be served between them', async () => {
    const turns = new Turns();
    const all = Array.from({ length: 5 }, async () =>
      new UnhurriedFrames({ frame: () => Buffer.from(String(made++)) }, turns).frame(added(1_000_000)),
    );
    const seen: number[] = [];
    while (made < 5) {
      seen.push(made);
      await loopTurn();
    }
    await Promise.all(all);
    expect(new Set(seen)).to.include.members([1, 2, 3]);
  });

  it('that another watch has had made need no turn', () => {
    const made = Buffer.from('made');
    const frame = new UnhurriedFrames({ made: () => made, frame: () => Buffer.from('own') }, new Turns()).frame(
      added(1_000_000),
    );
    expect(frame).to.equal(made);
  });
});
