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
import { MANIFEST_FORMAT, type BundledPrograms, type BundleManifest } from '../../bin/bundle-manifest.js';
import { buildJoined } from './join-chunks.ts';
import { jsonBeside, ownAddresses, requireBanner } from './esbuild-parts.ts';
import { bundlePlace, COMMAND, PROGRAMS, STARTED, type BundlePlace } from './bundle-place.ts';

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
 * the sources; the command beside them, which finds what it needs where its sources are. Resolves to false when a
 * source changed meanwhile, and the bundle was thrown away.
 * @throws whatever esbuild does, and when esbuild (a development dependency) is not installed
 */
export async function buildBundle(place = bundlePlace(), sources = PROGRAMS, command = COMMAND): Promise<boolean> {
  const { checkout, cacheDirectory } = place;
  mkdirSync(cacheDirectory, { recursive: true });
  const directory = mkdtempSync(join(cacheDirectory, `bundle-${Date.now()}-`));
  const startedAtMs = Date.now();
  try {
    const bundled = async (compilation: Omit<Compilation, 'checkout' | 'directory'>): Promise<BundledPrograms> => ({
      inputs: inputsOf(checkout, await compile({ checkout, directory, ...compilation })),
      programs: Object.fromEntries(
        Object.entries(compilation.sources).map(([name, source]) => [
          source,
          relative(checkout, join(directory, `${name}.mjs`)),
        ]),
      ),
    });
    const programs = await bundled({ sources });
    const manifest = {
      format: MANIFEST_FORMAT,
      ...programs,
      command: await bundled({ sources: command, placed: true }),
    } satisfies BundleManifest;
    if ([...manifest.inputs, ...manifest.command.inputs].some(([, mtimeMs]) => mtimeMs >= startedAtMs)) {
      rmSync(directory, { recursive: true });
      return false;
    }
    replaceManifest(place, manifest);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  removeOldBundles(cacheDirectory);
  return true;
}

/**
 * Makes the programs in a directory of their own, for an image: `etcd.mjs`, `aggregator.mjs` and so on, in the shortest
 * syntax, a fiftieth less, and without maps of other packages. What else is there stays.
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
  /** In the shortest syntax. */
  readonly compact?: boolean;
  /** Each file goes by the address of its source. Default: by that of the file it comes into. */
  readonly placed?: boolean;
}

/** Resolves to the files that went in, relative to the checkout. */
async function compile({ sources, ...rest }: Compilation): Promise<readonly string[]> {
  const entries = Object.entries(sources);
  const groups = Map.groupBy(entries, ([name]) => (APART.includes(name) ? `${name}-` : ''));
  const inputs = await Promise.all(
    [...groups].map(([chunkPrefix, group]) =>
      compileTogether({ ...rest, chunkPrefix, sources: Object.fromEntries(group) }),
    ),
  );
  return [...new Set(inputs.flat())];
}

async function compileTogether({
  checkout,
  compact = false,
  directory,
  placed = false,
  chunkPrefix,
  sources,
}: Compilation & { readonly chunkPrefix: string }): Promise<readonly string[]> {
  const { inputs } = await buildJoined(
    {
      absWorkingDir: checkout,
      entryPoints: sources,
      outdir: directory,
      platform: 'node',
      target: 'node24',
      outExtension: { '.js': '.mjs' },
      chunkNames: `${chunkPrefix}[name]-[hash]`,
      sourcemap: 'linked',
      sourcesContent: false,
      legalComments: 'none',
      external: ['esbuild'],
      logLevel: 'silent',
      minifySyntax: compact,
      lineLimit: 120,
      plugins: [jsonBeside(directory), ...(placed ? [ownAddresses] : [])],
      banner: { js: requireBanner },
    },
    STARTED,
  );
  return inputs;
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
