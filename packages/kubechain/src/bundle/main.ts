/**
 * Makes the bundle of this checkout if its sources have changed: `node packages/kubechain/src/bundle/main.ts`.
 * npm runs it after an installation, and `kubechain up` in the background when it had to run from the sources. A bundle
 * only saves time, so what goes wrong is told in one line, and never fails an installation. One process makes it at a
 * time.
 *
 * `--outdir DIR` makes the programs there instead, and does fail when it cannot: images are made of them.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@kubechain/apimachinery';
import { bundlePlace } from './bundle-place.ts';
import { unlessUnderWay } from '../unless-under-way.ts';
import { bundledPrograms, bundlesWanted, isCommandBundled } from './bundled-programs.ts';

const { outdir } = parseArgs({ options: { outdir: { type: 'string' } } }).values;

if (outdir !== undefined) {
  const { buildPrograms } = await import('./build-bundle.ts');
  await buildPrograms(resolve(outdir));
} else if (bundlesWanted() && (bundledPrograms() === undefined || !isCommandBundled())) {
  try {
    const { buildBundle } = await import('./build-bundle.ts');
    const { cacheDirectory } = bundlePlace();
    mkdirSync(cacheDirectory, { recursive: true });
    await unlessUnderWay(join(cacheDirectory, 'bundle.building'), () => buildBundle());
  } catch (error) {
    process.stderr.write(
      `kubechain: starts stay slower, no bundle could be made: ${messageOf(error).split('\n', 1)[0]}\n`,
    );
  }
}
