import { createHash } from 'node:crypto';
import { basename, extname, join } from 'node:path';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';
import { requireBanner } from './esbuild-parts.ts';

/** A file that esbuild wrote: what it gives others, and what it asks of them. */
interface Chunk {
  readonly name: string;
  readonly text: string;
  readonly exports: readonly string[];
  /** What it was made for, of entry points and of what is imported dynamically. */
  readonly source: string | undefined;
  /** Loaded with it. */
  readonly imports: readonly string[];
  /** Loaded when they are needed. */
  readonly later: readonly string[];
}

/** Some chunks as one file. */
interface Joined {
  readonly name: string;
  readonly members: readonly Chunk[];
}

/** Options of esbuild, those apart that are chosen here: ES modules in files of what several need. */
export type JoinedBuildOptions = Omit<
  BuildOptions,
  'bundle' | 'entryPoints' | 'format' | 'metafile' | 'minifyWhitespace' | 'outdir' | 'plugins' | 'splitting' | 'write'
> & {
  /** By name, relative to the working directory. */
  readonly entryPoints: Readonly<Record<string, string>>;
  readonly outdir: string;
  readonly plugins: Plugin[];
};

/**
 * Bundles entry points as ES modules, what several of them need in files of its own, those joined that the same starts
 * need: esbuild makes a file for each set of modules that the same entry points and dynamic imports reach, some seventy
 * for a server, and each costs Node half a millisecond and V8 a tenth of a megabyte. Two chunks are joined when the
 * same starts load both and the same starts may load both later, so that nobody loads what it would not have loaded.
 * Entry points and what is imported dynamically keep their names, if only to export what has gone elsewhere.
 *
 * `started` are sources that are imported dynamically and yet at every start, in sets of which one start needs all.
 *
 * Resolves to the paths of what went in and of what was written, relative to the working directory.
 * @throws whatever esbuild does
 */
export async function buildJoined(
  { banner, chunkNames, entryPoints, external, plugins, ...options }: JoinedBuildOptions,
  started: readonly (readonly string[])[],
): Promise<{ readonly inputs: readonly string[]; readonly outputs: readonly string[] }> {
  const { build } = await import('esbuild');
  const common = {
    ...options,
    bundle: true,
    format: 'esm',
    metafile: true,
    // Without white space and comments: a fifth of what each process reads and keeps, and twice as much where a comment
    // has a letter that takes two bytes.
    minifyWhitespace: true,
  } satisfies BuildOptions;
  const split = await build({
    ...common,
    entryPoints,
    plugins,
    splitting: true,
    write: false,
    // Of files that are not there.
    sourcemap: 'inline',
    ...(banner === undefined ? {} : { banner }),
    ...(chunkNames === undefined ? {} : { chunkNames }),
    ...(external === undefined ? {} : { external }),
  });
  const chunks = chunksOf(split);
  const bySource = new Map([...chunks.values()].map((chunk) => [chunk.source, chunk]));
  const ofSources = (sources: readonly string[]): Chunk[] => sources.flatMap((source) => bySource.get(source) ?? []);
  const alone = ofSources(Object.values(entryPoints));
  const roots = [...alone.map((chunk) => [chunk]), ...started.map(ofSources)].filter((root) => root.length > 0);
  const joined = joinedOf(chunks, { alone: new Set(alone), roots });
  const later = new Set([...chunks.values()].flatMap((chunk) => chunk.later));
  const kept = joined.filter(isOfSeveral).flatMap(({ members }) => members.filter(({ name }) => later.has(name)));
  const { metafile } = await build({
    ...common,
    entryPoints: Object.fromEntries([
      ...joined.map(({ name }) => [withoutExtension(name), `${JOINED}:${name}`]),
      ...kept.map(({ name }) => [withoutExtension(name), `${ELSEWHERE}:${name}`]),
    ]),
    // What it reads as theirs are files in memory.
    allowOverwrite: true,
    plugins: [joining(options.outdir, chunks, joined)],
  });
  return { inputs: Object.keys(split.metafile.inputs), outputs: Object.keys(metafile.outputs) };
}

type SplitBuild = BuildResult<{ metafile: true; write: false }>;

function chunksOf({ metafile, outputFiles }: SplitBuild): ReadonlyMap<string, Chunk> {
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  return new Map(
    Object.entries(metafile.outputs)
      .filter(([path]) => /\.m?js$/.test(path))
      .map(([path, { entryPoint, exports, imports }]) => {
        const ofKind = (kind: string): string[] =>
          imports.filter((each) => each.kind === kind && each.external !== true).map((each) => basename(each.path));
        const name = basename(path);
        return [
          name,
          {
            name,
            text: texts.get(name)!,
            source: entryPoint,
            exports,
            imports: ofKind('import-statement'),
            later: ofKind('dynamic-import'),
          },
        ];
      }),
  );
}

function joinedOf(
  chunks: ReadonlyMap<string, Chunk>,
  { alone, roots }: { readonly alone: ReadonlySet<Chunk>; readonly roots: readonly (readonly Chunk[])[] },
): readonly Joined[] {
  const loads = roots.map((root) => reached(root, chunks, ({ imports }) => imports));
  const mayLoad = roots.map((root) => reached(root, chunks, ({ imports, later }) => [...imports, ...later]));
  const key = (chunk: Chunk): string => {
    const places = roots.map((_, index) => (loads[index]!.has(chunk) ? 'L' : mayLoad[index]!.has(chunk) ? 'l' : '-'));
    // What no start loads is loaded one by one.
    return places.includes('L') && !alone.has(chunk) ? places.join('') : chunk.name;
  };
  return [...Map.groupBy(chunks.values(), key).values()].map((members) => ({
    name: members.length === 1 ? members[0]!.name : nameOf(members),
    members,
  }));
}

function reached(
  root: readonly Chunk[],
  chunks: ReadonlyMap<string, Chunk>,
  next: (chunk: Chunk) => readonly string[],
): ReadonlySet<Chunk> {
  const seen = new Set(root);
  // Goes on through what is added on the way.
  for (const chunk of seen) for (const name of next(chunk)) seen.add(chunks.get(name)!);
  return seen;
}

const withoutExtension = (name: string): string => name.slice(0, -extname(name).length);

const isOfSeveral = ({ members }: Joined): boolean => members.length > 1;

function nameOf(members: readonly Chunk[]): string {
  const names = members.map(({ name }) => name);
  const hash = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 8).toUpperCase();
  return `joined-${hash}${extname(names[0]!)}`;
}

/** Chunks may export the same names: in a file of several, each has the number of its chunk. */
const joinedNames =
  (index: number): Renaming =>
  (name) =>
    `${name}_${index}`;

/** A statement that exports `names` of a file, each as `as` says, or where it is called otherwise there, `there`. */
function exportsFrom(
  file: string,
  names: readonly string[],
  { as = itself, there = itself }: { as?: Renaming; there?: Renaming } = {},
): string {
  if (names.length === 0) return `import './${file}';`;
  return `export { ${names.map((name) => `${there(name)} as ${as(name)}`).join(', ')} } from './${file}';`;
}

type Renaming = (name: string) => string;

const itself: Renaming = (name) => name;

/** What `text`, without white space where none is needed, imports of a file beside it. */
function importedNames(text: string, file: string): readonly string[] {
  const end = text.indexOf(`}from"./${file}"`);
  if (end < 0) return [];
  const clauses = text.slice(text.lastIndexOf('{', end) + 1, end).split(',');
  return clauses.map((clause) => clause.trim().split(' ', 1)[0]!);
}

const JOINED = 'joined';
const ELSEWHERE = 'elsewhere';

/**
 * Within a joined file, chunks are read where they are. What has gone to another one is imported from there, by the
 * name that it has there.
 */
function joining(outdir: string, chunks: ReadonlyMap<string, Chunk>, joined: readonly Joined[]): Plugin {
  const places = new Map(
    joined.flatMap((file) => file.members.map(({ name }, index) => [name, { file, index }] as const)),
  );
  const files = new Map(joined.map((file) => [file.name, file]));
  return {
    name: 'join-chunks',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ importer, kind, namespace, path }) => {
        if (kind === 'entry-point') {
          const [namespaceOfEntry, name] = path.split(':');
          return { path: name!, namespace: namespaceOfEntry! };
        }
        const name = basename(path);
        const place = places.get(name);
        if (kind !== 'import-statement' || place === undefined) return { path, external: true };
        const from = namespace === JOINED ? files.get(importer) : places.get(basename(importer))?.file;
        if (place.file === from) return { path: join(outdir, name) };
        if (!isOfSeveral(place.file)) return { path, external: true };
        return {
          path: name,
          namespace: ELSEWHERE,
          pluginData: chunks.get(basename(importer)),
          suffix: `?of=${importer}`,
        };
      });
      build.onLoad({ filter: /.*/, namespace: JOINED }, ({ path }) => {
        const { members } = files.get(path)!;
        const contents =
          members.length === 1
            ? exportsFrom(members[0]!.name, members[0]!.exports)
            : members
                .map(({ exports, name }, index) => exportsFrom(name, exports, { as: joinedNames(index) }))
                .join('\n');
        return { contents, resolveDir: outdir };
      });
      build.onLoad({ filter: /.*/, namespace: ELSEWHERE }, ({ path, pluginData }) => {
        const { file, index } = places.get(path)!;
        const importer = pluginData as Chunk | undefined;
        // An import of what is not used would stay.
        const names = importer === undefined ? file.members[index]!.exports : importedNames(importer.text, path);
        return { contents: exportsFrom(file.name, names, { there: joinedNames(index) }), resolveDir: outdir };
      });
      build.onLoad({ filter: /.*/ }, ({ path }) => {
        const { text } = chunks.get(basename(path))!;
        if (!text.startsWith(requireBanner)) return { contents: text };
        const rest = text.slice(requireBanner.length);
        // Each module that has it makes a function, at every start.
        return { contents: /\brequire\b/.test(rest) ? text : rest };
      });
    },
  };
}
