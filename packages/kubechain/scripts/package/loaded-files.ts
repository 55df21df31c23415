import { build, type BuildOptions } from 'esbuild';

/**
 * How Node finds what sources import (Node 24): its conditions, and no other field of package.json than `main`. An
 * import of nothing but types loads the file nevertheless, unless all of it is `import type`.
 */
const asNode: BuildOptions = {
  platform: 'node',
  conditions: ['module-sync'],
  mainFields: ['main'],
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
};

/**
 * What programs load when they run from their sources, now or later: files of the checkout and of packages, relative to
 * the checkout. So an image need not have the rest.
 */
export async function loadedFiles(checkout: string, sources: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    ...asNode,
    absWorkingDir: checkout,
    entryPoints: [...sources],
    outdir: 'not-written',
    write: false,
    bundle: true,
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
    external: ['esbuild'],
  });
  return Object.keys(metafile?.inputs ?? {}).sort();
}
