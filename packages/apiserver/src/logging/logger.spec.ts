import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, Logging } from './logger.ts';

describe('Logging', () => {
  const log = new Logger('boats');
  const lines = (): { readonly written: string[]; readonly write: (line: string) => void } => {
    const written: string[] = [];
    return { written, write: (line) => void written.push(line) };
  };

  it('takes the lines of everything that is begun in its run, side by side with others', async () => {
    const loud = lines();
    const quiet = lines();
    const work = async (name: string): Promise<void> => {
      log.info(`${name} begins`, undefined, 2);
      await delay(1);
      log.warning(`${name} ends`);
    };
    await Promise.all([
      new Logging({ verbosity: 3, format: 'json', write: loud.write }).run(() => work('loud')),
      new Logging({ verbosity: 0, write: quiet.write }).run(() => work('quiet')),
    ]);
    expect(loud.written.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      'loud begins',
      'loud ends',
    ]);
    expect(quiet.written).to.have.lengthOf(1);
    expect(quiet.written[0]).to.match(/^W\d{4} [\d:.]+ +\d+ boats] "quiet ends"\n$/);
  });

  it('follows changes, and levels of components', () => {
    const { write } = lines();
    const logging = new Logging({ verbosity: 1, components: new Map([['boats', 4]]), write });
    const other = new Logger('cars');
    logging.run(() => {
      expect([log.enabled(4), log.enabled(5), other.enabled(1), other.enabled(2)]).to.deep.equal([
        true,
        false,
        true,
        false,
      ]);
      Logging.current.verbosity = 2;
      expect([log.enabled(4), other.enabled(2)]).to.deep.equal([true, true]);
      logging.configure({ verbosity: 0, write });
      expect(log.enabled(1)).to.equal(false);
    });
    expect(Logging.current).not.to.equal(logging);
  });
});
