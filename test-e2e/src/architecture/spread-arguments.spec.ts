import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './documents.ts';

const root = join(import.meta.dirname, '../../..');
/** Says why itself. */
const exception = 'packages/apimachinery/src/object/append.ts';

/** Whether a source passes all elements of a list as arguments of `push`, which fails for a hundred thousand of them. */
function spreadsIntoPush(source: string): boolean {
  return /\.push\(\.\.\./.test(source);
}

describe('lists', () => {
  it('grow by append, however long what is added is', () => {
    const found = filesBelow(root, 'packages')
      .filter((path) => /\/src\/.*(?<!spec)\.ts$/.test(path) && path !== exception)
      .filter((path) => spreadsIntoPush(readFileSync(join(root, path), 'utf8')));
    expect(found).to.deep.equal([]);
  });

  it('are seen to grow otherwise', () => {
    expect(spreadsIntoPush(readFileSync(join(root, exception), 'utf8'))).to.equal(true);
  });
});
