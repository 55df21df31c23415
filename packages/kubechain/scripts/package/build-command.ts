import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { STARTED } from '../../src/bundle/bundle-place.ts';
import { jsonBeside, requireBanner } from '../../src/bundle/esbuild-parts.ts';
import { buildJoined } from '../../src/bundle/join-chunks.ts';
import { PackageDescriptions, recordDescriptions, RECORDED_FILE_NAME } from '@kubechain/apiserver/descriptions';
import { collectDeclarations } from './declarations.ts';
import { entryPoints, programs } from './entries.ts';
import { thirdPartyNotices } from './notices.ts';
import { commonManifest, packageFolders, readManifest, root } from './workspace.ts';
import { writePage } from './write-page.ts';

const built = join(root, '.tsbuild');

/**
 * The package `kubechain`: programs and entry points with everything that they need in them, so that it depends on
 * nothing but the types of Node.
 *
 *     dist/*.js            ES modules: entry points, programs, what they share
 *     dist/cjs/*.js        entry points for tests in CommonJS form
 *     dist/page            what the browser loads of the chain's page
 *     dist/types, cjs/types  declarations, as the one and as the other
 */
export async function buildCommand(output: string): Promise<void> {
  rmSync(output, { recursive: true, force: true });
  const dist = join(output, 'dist');
  mkdirSync(join(dist, 'cjs'), { recursive: true });
  const sources = { ...programs, ...Object.fromEntries(entryPoints.map(({ file, source }) => [file, source])) };
  const inputs = new Set([
    ...(await bundleModules(dist, (name) => isLight(name), { chunkNames: 'light-[hash]', sources })),
    ...(await bundleModules(dist, (name) => !isLight(name), { chunkNames: 'chunk-[hash]', sources })),
    ...(await bundleCommonJS(dist)),
    ...(await writePage(join(dist, 'page'))),
  ]);
  writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(join(dist, RECORDED_FILE_NAME), recordDescriptions(new PackageDescriptions()));
  const outside = declarations(dist);
  if ([...outside].some((name) => !name.startsWith('node:')))
    throw new TypeError(`declarations need other packages: ${[...outside].join(', ')}`);
  writeTexts(output, inputs);
}

/**
 * Whether something starts servers and is none. A file of a package is shared whole: among servers, what loads one flag
 * would load all that they share, megabytes of it.
 */
function isLight(name: string): boolean {
  return name === 'cli' || name === 'child-guard' || name === 'index' || name.startsWith('testing');
}

/** Those of `sources` whose names are chosen, with what they share. Resolves to the files that went in. */
async function bundleModules(
  outdir: string,
  chosen: (name: string) => boolean,
  { chunkNames, sources }: { readonly chunkNames: string; readonly sources: Readonly<Record<string, string>> },
): Promise<readonly string[]> {
  const { inputs, outputs } = await buildJoined(
    {
      ...common,
      entryPoints: Object.fromEntries(Object.entries(sources).filter(([name]) => chosen(name))),
      outdir,
      plugins: [jsonBeside(outdir)],
      chunkNames,
      banner: { js: requireBanner },
      lineLimit: 120,
    },
    STARTED,
  );
  leaveOutTexts(outputs);
  return inputs;
}

/** Nothing is split in CommonJS form: what is large is in `shared.js` once, and the others require it from there. */
async function bundleCommonJS(dist: string): Promise<string[]> {
  const outdir = join(dist, 'cjs');
  const common = entryPoints.filter(({ commonJS }) => commonJS);
  const large = common.filter(({ file }) => file === 'index' || file === 'testing');
  const options: BuildOptions = {
    format: 'cjs',
    // Programs lie one folder up, beside the ES modules.
    define: { 'import.meta.url': 'hereInDist' },
    banner: {
      js:
        "const hereInDist = require('node:url').pathToFileURL(require('node:path').join(__dirname, '..', " +
        "'index.js')).href;",
    },
    logOverride: { 'empty-import-meta': 'silent' },
  };
  for (const { file } of large)
    writeFileSync(join(outdir, `${file}.js`), `module.exports = require('./shared.js').${file};\n`);
  const contents = large.map(({ file, source }) => `export * as ${file} from './${source}';\n`).join('');
  return [
    ...(await bundle({
      ...options,
      plugins: [jsonBeside(dist)],
      stdin: { contents, resolveDir: root, sourcefile: 'shared.ts', loader: 'ts' },
      outfile: join(outdir, 'shared.js'),
    })),
    ...(await bundle({
      ...options,
      entryPoints: Object.fromEntries(
        common.filter((entry) => !large.includes(entry)).map(({ file, source }) => [file, source]),
      ),
      outdir,
      plugins: [jsonBeside(dist), presetsShareTesting],
    })),
  ];
}

const presetsShareTesting: Plugin = {
  name: 'presets-share-testing',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/start-test-environment\.ts$/ }, () => ({ path: './testing.js', external: true }));
  },
};

const common = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node22.19',
  sourcemap: 'linked',
  sourcesContent: true,
  legalComments: 'none',
  logLevel: 'warning',
  external: ['esbuild'],
} satisfies BuildOptions;

/** Resolves to the files that went in, relative to the root. */
async function bundle(options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({ ...common, bundle: true, metafile: true, ...options });
  leaveOutTexts(Object.keys(metafile?.outputs ?? {}));
  return Object.keys(metafile?.inputs ?? {});
}

/**
 * Nobody steps through generated tables, whose text stands in the bundle already, nor through other packages: their
 * texts are 4 MB of the maps. Stacks name the files all the same.
 */
function leaveOutTexts(outputs: readonly string[]): void {
  for (const map of outputs.filter((name) => name.endsWith('.map')).map((name) => join(root, name))) {
    const read = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[]; sourcesContent: (string | null)[] };
    const leftOut = (source = ''): boolean => source.endsWith('.json') || source.includes('node_modules/');
    read.sourcesContent = read.sourcesContent.map((text, i) => (leftOut(read.sources[i]) ? null : text));
    writeFileSync(map, JSON.stringify(read));
  }
}

/** The names of what they import of elsewhere. */
function declarations(dist: string): ReadonlySet<string> {
  const exported = new Map(
    packageFolders().flatMap((folder) => {
      const { exports, name } = readManifest(folder);
      return Object.entries(exports).map(([path, file]) => [
        name + path.slice(1),
        join(built, folder, file.replace(/\.ts$/, '.d.ts')),
      ]);
    }),
  );
  const ofTypes = /^(@kubechain\/apimachinery)\/types\/(.*)$/;
  const resolve = (name: string): string | undefined => {
    const type = ofTypes.exec(name)?.[2];
    return type === undefined ? exported.get(name) : join(built, 'apimachinery/src/generated/types', `${type}.d.ts`);
  };
  const entry = (source: string): string => join(built, source.replace(/^packages\//, '').replace(/\.ts$/, '.d.ts'));
  const outside = collectDeclarations({
    entries: entryPoints.map(({ source }) => entry(source)),
    from: built,
    to: join(dist, 'types'),
    resolve,
  });
  collectDeclarations({
    entries: entryPoints.filter(({ commonJS }) => commonJS).map(({ source }) => entry(source)),
    from: built,
    to: join(dist, 'cjs/types'),
    resolve,
  });
  return outside;
}

function writeTexts(output: string, inputs: Iterable<string>): void {
  const manifest = readManifest('kubechain');
  const typesOf = (source: string): string => source.replace(/^packages\//, '').replace(/\.ts$/, '.d.ts');
  const exports = Object.fromEntries(
    entryPoints.map(({ commonJS, file, path, source }) => {
      const esm = { types: `./dist/types/${typesOf(source)}`, default: `./dist/${file}.js` };
      if (!commonJS) return [path, esm];
      return [
        path,
        { import: esm, require: { types: `./dist/cjs/types/${typesOf(source)}`, default: `./dist/cjs/${file}.js` } },
      ];
    }),
  );
  writeFileSync(
    join(output, 'package.json'),
    `${JSON.stringify(
      {
        ...commonManifest(manifest),
        bin: { kubechain: 'bin/kubechain.cjs' },
        exports: { ...exports, './package.json': './package.json' },
        files: ['bin', 'dist', 'THIRD-PARTY-NOTICES.txt'],
        dependencies: { '@types/node': '>=22' },
      },
      undefined,
      2,
    )}\n`,
  );
  mkdirSync(join(output, 'bin'), { recursive: true });
  const bin = join(output, 'bin/kubechain.cjs');
  cpSync(join(root, 'packages/kubechain/bin/published.cjs'), bin);
  chmodSync(bin, 0o755);
  cpSync(join(root, 'LICENSE'), join(output, 'LICENSE'));
  cpSync(join(root, 'packages/kubechain/README.md'), join(output, 'README.md'));
  writeFileSync(join(output, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(inputs));
}
