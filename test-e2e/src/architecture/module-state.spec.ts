import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/**
 * Variables of modules, by the file's name. Servers of one process share them, so they may keep what is the same for
 * all of them, and change nothing but time and memory: facts that are read once, texts and objects that are used
 * again, counts of the process.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'schema-type.ts': ['objects'],
  'list-items.ts': ['elements', 'elementCount'],
  'time.ts': ['lastSeconds', 'lastText'],
  'builtin-scheme.ts': ['facts'],
  'shared.ts': ['young', 'old', 'youngChars', 'recent'],
  'open-api-service.ts': ['packageDescriptions'],
  'webhook-client.ts': ['authorities'],
  'watch-frame.ts': ['encoded', 'shared'],
};

describe('state of modules', () => {
  it('is nothing that servers of one process could tell', () => {
    const found: Record<string, string[]> = {};
    for (const entry of readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(root, file).split(sep).join('/');
      if (!/^packages\/[^/]+\/src\/.*(?<!spec)\.ts$/.test(path) || /\/(spec-support|testing)\//.test(path)) continue;
      const names = [...readFileSync(file, 'utf8').matchAll(/^(?:export )?let (\w+)/gm)].map(([, name = '']) => name);
      if (names.length > 0) found[entry.name] = names;
    }
    expect(found).to.deep.equal(allowed);
  });
});
