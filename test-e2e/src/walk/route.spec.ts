import { expect } from 'chai';
import { routeOf } from './route.ts';

const route = (...files: string[]): ReturnType<typeof routeOf> =>
  routeOf(
    files.map((file, i) => ({ file, functionName: 'f', line: i + 1 })),
    /./,
  );

describe('a way through files', () => {
  it('has no returns as long as each file leads to the next one', () => {
    expect(route('a', 'a', 'b', 'c')).to.include({ files: 3, returns: 0 });
  });

  it('returns at the end of a call', () => {
    expect(route('a', 'b', 'a')).to.include({ files: 2, returns: 1 });
  });

  it('returns for each further call of a file that it has left', () => {
    expect(route('a', 'b', 'a', 'b', 'a')).to.include({ files: 2, returns: 3 });
  });

  it('tells where it came into each file', () => {
    expect(route('a', 'a', 'b', 'a').entries.map(({ line }) => line)).to.deep.equal([1, 3, 4]);
  });

  it('does not count the link, nor what timers do in between', () => {
    const files = [
      'apiserver/a',
      'apiserver/src/server/delegation/link/x',
      'apiserver/src/flowcontrol/y',
      'apiserver/a',
    ];
    expect(route(...files)).to.include({ files: 1, returns: 0 });
  });

  it('ends where its last file was seen last', () => {
    const places = ['a', 'b', 'a', 'c'].map((file) => ({ file, functionName: 'f', line: 1 }));
    expect(routeOf(places, /a/)).to.include({ files: 2, returns: 1 });
  });
});
