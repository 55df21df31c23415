import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireBanner } from './esbuild-parts.ts';
import { buildJoined } from './join-chunks.ts';

describe('joined chunks', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kubechain-joined-'));
    mkdirSync(join(root, 'src'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const build = async (
    sources: Readonly<Record<string, string>>,
    { entries, started }: { readonly entries: readonly string[]; readonly started: readonly (readonly string[])[] },
  ): Promise<readonly string[]> => {
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(root, 'src', `${name}.ts`), text);
    const { inputs } = await buildJoined(
      {
        absWorkingDir: root,
        entryPoints: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
        outdir: join(root, 'dist'),
        outExtension: { '.js': '.mjs' },
        platform: 'node',
        sourcemap: 'linked',
        plugins: [],
        banner: { js: requireBanner },
      },
      started,
    );
    return inputs;
  };
  const run = (name: string): string =>
    execFileSync(process.execPath, ['--enable-source-maps', join(root, 'dist', `${name}.mjs`)], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  /** The files of the bundle that are read when `name` is loaded. */
  const loaded = (name: string): ReadonlySet<string> => {
    const files = new Set([`${name}.mjs`]);
    for (const file of files) {
      const text = readFileSync(join(root, 'dist', file), 'utf8');
      for (const [, other] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) files.add(other!);
    }
    return files;
  };

  // Two programs, of which each has a part that is imported at every start, and one that is not.
  const programs = {
    one:
      "import { name } from './names.ts';\nconst { run } = await import('./run-one.ts');\n" +
      "console.log(name('one'), await run());",
    two:
      "import { name } from './names.ts';\nconst { run } = await import('./run-two.ts');\n" +
      "console.log(name('two'), await run());",
    'run-one':
      "import { name } from './names.ts';\nimport { count, raise } from './counts.ts';\n" +
      "import table, { limit } from './table.ts';\nexport const run = async () => {\n" +
      "  raise();\n  const { seldom } = await import('./seldom.ts');\n" +
      "  return [name('run'), count, limit, table.size, seldom()].join(' ');\n};",
    'run-two':
      "import { limit } from './counts.ts';\nexport { name as run } from './names.ts';\nexport const unused = limit;",
    names: "export const limit = 'of names';\nexport const name = (of: string) => `${of ?? 'nobody'}!`;",
    counts: 'export let count = 0;\nexport const limit = 100;\nexport const raise = () => { count++; };',
    table:
      "import { limit as of } from './names.ts';\nexport default new Set([1, 2]);\n" +
      'export const limit = `limit ${of}`;',
    seldom:
      "import { count } from './counts.ts';\nimport table from './table.ts';\n" +
      "export const seldom = () => [count, table.size].join(':');",
  };
  const options = { entries: ['one', 'two'], started: [['src/run-one.ts'], ['src/run-two.ts']] };

  it('do what the sources do', async () => {
    const inputs = await build(programs, options);
    expect(run('one')).to.equal('one! run! 1 limit of names 2 1:2\n');
    expect(run('two')).to.equal('two! nobody!\n');
    expect([...inputs].sort()).to.deep.equal(
      Object.keys(programs)
        .map((name) => `src/${name}.ts`)
        .sort(),
    );
  });

  it('have nothing that a start does not need', async () => {
    await build(programs, options);
    const files = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.mjs'));
    const runs = files.find((name) => name.startsWith('run-one'))!;
    const atStart = [...loaded('one'), ...loaded(runs.slice(0, -'.mjs'.length))];
    const texts = atStart.map((name) => readFileSync(join(root, 'dist', name), 'utf8')).join('\n');
    expect(texts).to.include('limit ').and.include('nobody').and.not.include("join(':')").and.not.include('join(":")');
  });

  it('are fewer files for a start', async () => {
    const parts = Array.from({ length: 12 }, (_, index) => index);
    // Each is reached by another set of dynamic imports, which makes a file of it.
    const many = {
      main: "await import('./run.ts');",
      run: parts
        .map((part) => `import { part as p${part} } from './part${part}.ts';\nconsole.log(p${part});`)
        .join('\n'),
      ...Object.fromEntries(parts.map((part) => [`part${part}`, `export const part = 'part ${part}';`])),
      later: parts.map((part) => `export const l${part} = () => import('./later${part}.ts');`).join('\n'),
      ...Object.fromEntries(
        parts.map((part) => [`later${part}`, `import { part } from './part${part}.ts';\nexport const later = part;`]),
      ),
    };
    many.run += "\nif (process.argv.length > 99) console.log(await import('./later.ts'));";
    await build(many, { entries: ['main'], started: [] });
    const apart = readdirSync(join(root, 'dist')).length;
    expect(run('main').split('\n')).to.have.lengthOf(13);
    rmSync(join(root, 'dist'), { recursive: true });
    await build(many, { entries: ['main'], started: [['src/run.ts']] });
    expect(run('main').split('\n')).to.have.lengthOf(13);
    expect(readdirSync(join(root, 'dist'))).to.have.length.below(apart - 16);
  });

  it('have maps that lead to the sources', async () => {
    await build(
      {
        ...programs,
        counts:
          "export let count = 0;\nexport const limit = 1;\nexport const raise = () => { throw new Error('here'); };",
      },
      options,
    );
    expect(() => run('one')).to.throw(/counts\.ts:3:/);
  });

  it('have require only where something requires', async () => {
    await build(
      { ...programs, table: "export default new Set(require('node:os').EOL);\nexport const limit = 1;" },
      options,
    );
    expect(run('one')).to.equal('one! run! 1 1 1 1:1\n');
    const texts = readdirSync(join(root, 'dist'))
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => readFileSync(join(root, 'dist', name), 'utf8'));
    expect(texts.filter((text) => text.includes('createRequire'))).to.have.lengthOf(1);
  });
});
