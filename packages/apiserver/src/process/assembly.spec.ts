import { expect } from 'chai';
import { Assembly } from './assembly.ts';

describe('Assembly', () => {
  const log: string[] = [];
  const closer = (name: string) => (): void => void log.push(`close ${name}`);
  beforeEach(() => {
    log.length = 0;
  });

  it('closes what was opened, the last first, once', async () => {
    const assembly = new Assembly();
    expect(assembly.open('a', () => 1, closer('a'))).to.equal(1);
    expect(await assembly.open('b', () => Promise.resolve('two'), closer('b'))).to.equal('two');
    assembly.open('c', () => undefined, closer('c'));
    await Promise.all([assembly.close(), assembly.close()]);
    await assembly.close();
    expect(log).to.deep.equal(['close c', 'close b', 'close a']);
  });

  it('hands a part to its closer, and waits for it', async () => {
    const assembly = new Assembly();
    assembly.open('first', () => 'first', closer('first'));
    assembly.open(
      'slow',
      () => 'slow',
      async (part) => {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        log.push(`close ${part}`);
      },
    );
    await assembly.close();
    expect(log).to.deep.equal(['close slow', 'close first']);
  });

  it('does not keep a part that failed to open', async () => {
    const assembly = new Assembly();
    assembly.open('a', () => 1, closer('a'));
    expect(() =>
      assembly.open(
        'b',
        () => {
          throw new RangeError('no b');
        },
        closer('b'),
      ),
    ).to.throw('no b');
    await assembly.open('c', () => Promise.reject(new RangeError('no c')), closer('c')).catch(() => undefined);
    await assembly.close();
    expect(log).to.deep.equal(['close a']);
  });

  it('closes a part too that was still being opened when another failed', async () => {
    const assembly = new Assembly();
    let opened: (part: string) => void = () => undefined;
    const slow = assembly.open('slow', () => new Promise<string>((resolve) => (opened = resolve)), closer('slow'));
    const closed = assembly.close();
    opened('part');
    await closed;
    expect(await slow).to.equal('part');
    expect(log).to.deep.equal(['close slow']);
  });

  it('opens nothing once its end has begun, when nobody would close it', async () => {
    const assembly = new Assembly();
    const closing = assembly.close();
    const open = (): unknown => assembly.open('late', () => log.push('open late'), closer('late'));
    expect(open).to.throw('late is not opened');
    await closing;
    expect(open).to.throw('late is not opened');
    expect(log).to.deep.equal([]);
  });

  it('closes all others when one fails to close, and tells afterwards', async () => {
    const assembly = new Assembly();
    const failing = (name: string) => (): void => {
      log.push(`close ${name}`);
      throw new RangeError(`${name} is stuck`);
    };
    assembly.open('a', () => 1, failing('a'));
    assembly.open('b', () => 2, closer('b'));
    assembly.open('c', () => 3, failing('c'));
    const error = await assembly.close().catch((thrown: unknown) => thrown);
    expect(log).to.deep.equal(['close c', 'close b', 'close a']);
    expect((error as AggregateError).errors.map(String)).to.deep.equal([
      'RangeError: c is stuck',
      'RangeError: a is stuck',
    ]);
  });
});
