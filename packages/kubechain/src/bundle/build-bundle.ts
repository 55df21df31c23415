import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { jsonBeside, requireBanner } from './esbuild-parts.ts';
import { bundlePlace, MANIFEST_FORMAT, PROGRAMS, type BundleManifest, type BundlePlace } from './bundle-place.ts';

/**
 * Programs that share no files with others: what one program needs of a package's index, all that share it load, and
 * clients need little of what servers do.
 */
const APART: readonly string[] = ['controllers', 'cli'];

/** npm writes it with every installation: stands for all dependencies. */
const INSTALLED = 'node_modules/.package-lock.json';

/** Older bundles stay, because chains that run load parts of theirs when they first need them. */
const KEPT_BUNDLES = 3;

/**
 * Makes one bundle of all programs, with what they share in common files, and source maps, so that stacks still name
 * the sources. Resolves to false when a source changed meanwhile, and the bundle was thrown away.
 * @throws whatever esbuild does, and when esbuild (a development dependency) is not installed
 */
export async function buildBundle(place = bundlePlace(), sources = PROGRAMS): Promise<boolean> {
  const { checkout, cacheDirectory } = place;
  mkdirSync(cacheDirectory, { recursive: true });
  const directory = mkdtempSync(join(cacheDirectory, `bundle-${Date.now()}-`));
  const startedAtMs = Date.now();
  try {
    const inputPaths = await compile({ checkout, directory, sources });
    const inputs = inputsOf(checkout, inputPaths);
    if (inputs.some(([, mtimeMs]) => mtimeMs >= startedAtMs)) {
      rmSync(directory, { recursive: true });
      return false;
    }
    const programs = Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [source, relative(checkout, join(directory, `${name}.mjs`))]),
    );
    replaceManifest(place, { format: MANIFEST_FORMAT, inputs, programs });
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  removeOldBundles(cacheDirectory);
  return true;
}

/**
 * Makes the programs in a directory of their own, for an image: `etcd.mjs`, `aggregator.mjs` and so on, without white
 * space, which is a fifth of what each process reads and keeps, in the shortest syntax, a fiftieth, and without maps of
 * other packages. What else is there stays.
 * @throws as buildBundle
 */
export async function buildPrograms(
  directory: string,
  { checkout } = bundlePlace(),
  sources = PROGRAMS,
): Promise<void> {
  await compile({ checkout, directory, sources, compact: true });
  removeMapsOfPackages(directory);
}

/** There are no sources of other packages in an image, and nobody steps through them. */
function removeMapsOfPackages(directory: string): void {
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.map'))) {
    const { sources } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as { readonly sources: string[] };
    if (sources.every((source) => source.includes('node_modules/'))) rmSync(join(directory, name));
  }
}

interface Compilation {
  readonly checkout: string;
  readonly directory: string;
  readonly sources: Readonly<Record<string, string>>;
  /** Without white space. Default: as it is written, for who reads it. */
  readonly compact?: boolean;
}

/** Resolves to the files that went in, relative to the checkout. */
async function compile({ sources, ...rest }: Compilation): Promise<string[]> {
  const entries = Object.entries(sources);
  const together = entries.filter(([name]) => !APART.includes(name));
  const groups = [together, ...entries.filter(([name]) => APART.includes(name)).map((entry) => [entry])];
  const inputs = await Promise.all(
    groups.map((group) => compileTogether({ ...rest, sources: Object.fromEntries(group) })),
  );
  return [...new Set(inputs.flat())];
}

async function compileTogether({ checkout, compact = false, directory, sources }: Compilation): Promise<string[]> {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: checkout,
    entryPoints: sources,
    outdir: directory,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    outExtension: { '.js': '.mjs' },
    metafile: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    external: ['esbuild'],
    logLevel: 'silent',
    ...(compact ? { minifyWhitespace: true, minifySyntax: true, lineLimit: 120 } : {}),
    plugins: [jsonBeside(directory)],
    banner: { js: requireBanner },
  });
  return Object.keys(metafile.inputs);
}

function inputsOf(checkout: string, paths: readonly string[]): BundleManifest['inputs'] {
  const own = paths.filter((path) => !path.startsWith('<') && !path.includes('node_modules/'));
  return [...own, ...(existsSync(join(checkout, INSTALLED)) ? [INSTALLED] : [])].map((path) => {
    const { mtimeMs, size } = statSync(join(checkout, path));
    return [path, mtimeMs, size] as const;
  });
}

function replaceManifest({ manifestFile }: BundlePlace, manifest: BundleManifest): void {
  const temporary = `${manifestFile}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(manifest));
  renameSync(temporary, manifestFile);
}

/** Names begin with their time: the last ones are the newest. */
function removeOldBundles(cacheDirectory: string): void {
  const bundles = readdirSync(cacheDirectory)
    .filter((name) => name.startsWith('bundle-'))
    .sort();
  for (const name of bundles.slice(0, -KEPT_BUNDLES))
    rmSync(join(cacheDirectory, name), { recursive: true, force: true });
}
