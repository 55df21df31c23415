import { expect } from 'chai';
import { walk } from './walk.ts';
import { ways } from './ways.ts';

describe('the way through the files', () => {
  for (const [name, way] of Object.entries(ways))
    it(`of a ${name} has no more files and returns than it had`, async () => {
      const { entries, files, returns } = await walk(way, { tries: 5 });
      expect(entries.at(-1)?.file, 'the end of the way').to.match(way.until);
      expect({
        files: Math.max(files, way.atMost.files),
        returns: Math.max(returns, way.atMost.returns),
      }).to.deep.equal(way.atMost);
    }).timeout(900_000);
});
