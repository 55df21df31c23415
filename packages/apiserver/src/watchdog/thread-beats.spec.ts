import { expect } from 'chai';
import { Logging } from '../logging/logger.ts';
import { ThreadBeats } from './thread-beats.ts';

describe('ThreadBeats', () => {
  it('log what held the thread for each cluster, until it is stopped, wherever that is called', async () => {
    const beats = new ThreadBeats({ tell: () => undefined });
    const lines: string[] = [];
    const clusters = ['one', 'other'].map((name) => {
      const watchdog = beats.forCluster(0);
      new Logging({ verbosity: 0, write: () => lines.push(name) }).run(() => {
        watchdog.start();
      });
      return watchdog;
    });
    const told = (): string[] => {
      beats.wentOn({ heldMs: 2_000, stack: '' });
      return lines.splice(0);
    };
    expect(told()).to.deep.equal(['one', 'other']);
    await clusters[1]!.stop();
    expect(told()).to.deep.equal(['one']);
    await clusters[0]!.stop();
    expect(told()).to.deep.equal([]);
  });

  it('take the longest time that they can say for a longer one', () => {
    let shared: Int32Array | undefined;
    const beats = new ThreadBeats({ tell: (message) => (shared = message.shared) });
    const watchdog = beats.forCluster(720 * 3_600_000);
    watchdog.start();
    watchdog.attend();
    void watchdog.stop();
    expect(shared?.includes(2 ** 31 - 1)).to.equal(true);
  });
});
