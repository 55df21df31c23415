import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPrograms } from '../programs/built-programs.ts';

/** What the browser loads, by path. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
  readonly document: string;
}

/** Where the sources of the page are in a checkout. */
const sources = fileURLToPath(new URL('../../web/', import.meta.url));

/**
 * The page's files: as they were built into the package, or, in a checkout, built of the sources as they are now.
 * @throws Error when there are only sources and esbuild (a development dependency) is not installed
 */
export async function pageFiles(): Promise<PageFiles> {
  const built = builtPrograms === undefined ? undefined : join(builtPrograms, 'page');
  if (built !== undefined && existsSync(built)) {
    const read = (name: string): string => readFileSync(join(built, name), 'utf8');
    return { script: read('page.js'), style: read('page.css'), document: read('index.html') };
  }
  return buildPage();
}

/** Builds the page of its sources, and tells the files that went in. @throws Error as pageFiles */
export async function buildPage(): Promise<PageFiles & { readonly inputs: readonly string[] }> {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../../../../', import.meta.url)),
    metafile: true,
    entryPoints: { page: join(sources, 'main.tsx') },
    outdir: join(sources, 'out'),
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return {
    script: text('.js'),
    style: text('.css'),
    document: readFileSync(join(sources, 'index.html'), 'utf8'),
    inputs: Object.keys(metafile.inputs),
  };
}
