import { expect } from 'chai';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundle } from './build-bundle.ts';
import { bundlePlace } from './bundle-place.ts';

/** Packages without ES modules that are imported when needed, by their default export: the only one that they have in a bundle. */
const importedByDefault = ['express'];

describe('packages in the bundle', function () {
  this.timeout(60_000);

  it('are imported by what they export there', async () => {
    const cacheDirectory = mkdtempSync(join(tmpdir(), 'kubechain-bundle-'));
    try {
      await buildBundle({ ...bundlePlace(), cacheDirectory, manifestFile: join(cacheDirectory, 'bundle.json') });
      const bundles = readdirSync(cacheDirectory).filter((name) => name.startsWith('bundle-'));
      expect(bundles).to.have.lengthOf(1);
      const directory = join(cacheDirectory, bundles[0] ?? '');
      const withDefaultOnly = readdirSync(directory).filter((name) => name.endsWith('.mjs') && /^export default require_\w+\(\);$/m.test(readFileSync(join(directory, name), 'utf8')));
      expect(withDefaultOnly.map((name) => name.replace(/-[A-Z0-9]+\.mjs$/, ''))).to.deep.equal(importedByDefault);
    } finally {
      rmSync(cacheDirectory, { recursive: true, force: true });
    }
  });
});
