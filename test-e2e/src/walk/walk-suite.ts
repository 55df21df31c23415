import { expect } from 'chai';
import { walk } from './walk.ts';
import { ways } from './ways.ts';

/** Has ways of these names gone, and looks whether they are as short as they were. */
export function walkSuite(names: readonly string[]): void {
  describe('the way through the files', () => {
    for (const name of names)
      it(`of a ${name} has no more files and returns than it had`, async () => {
        const way = ways[name];
        if (way === undefined) throw new Error(`no way is called ${name}`);
        const { entries, files, returns } = await walk(way, { tries: 5 });
        expect(entries.at(-1)?.file, 'the end of the way').to.match(way.until);
        expect({
          files: Math.max(files, way.atMost.files),
          returns: Math.max(returns, way.atMost.returns),
        }).to.deep.equal(way.atMost);
      }).timeout(900_000);
  });
}
