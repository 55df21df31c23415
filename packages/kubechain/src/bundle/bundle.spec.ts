import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readManifest } from '../../bin/bundle-manifest.js';
import { buildBundle, buildPrograms } from './build-bundle.ts';
import { bundlePlace, type BundlePlace } from './bundle-place.ts';
import { bundledPrograms, isCommandBundled } from './bundled-programs.ts';
import { compileCacheDirectory } from './compile-cache.ts';

describe('bundle of a checkout', function () {
  this.timeout(120_000);
  const hourAgo = Date.now() / 1000 - 3600;
  const programs = { greet: 'packages/greet/main.ts' };
  const command = { cli: 'packages/greet/cli.ts' };
  let place: BundlePlace;

  const write = (path: string, content: string, mtime = hourAgo): void => {
    writeFileSync(join(place.checkout, path), content);
    utimesSync(join(place.checkout, path), mtime, mtime);
  };
  const build = (): Promise<boolean> => buildBundle(place, programs, command);
  const run = (): string =>
    execFileSync(process.execPath, [bundledPrograms(place)!.get(join(place.checkout, programs.greet))!], {
      encoding: 'utf8',
    });

  beforeEach(() => {
    place = bundlePlace(mkdtempSync(join(tmpdir(), 'kubechain-bundle-')));
    mkdirSync(join(place.checkout, 'packages/greet'), { recursive: true });
    write(
      'packages/greet/main.ts',
      "import names from './names.json' with { type: 'json' };\nimport { greeting } from " +
        "'./greeting.ts';\nconsole.log(greeting, names.join(' and '));\n",
    );
    write('packages/greet/greeting.ts', "export const greeting: string = 'hello';\n");
    write('packages/greet/names.json', '["A", "B"]');
    write('packages/greet/cli.ts', 'console.log(import.meta.url);\n');
  });
  afterEach(() => {
    rmSync(place.checkout, { recursive: true });
  });

  it('does what the sources do', async () => {
    expect(bundledPrograms(place)).to.equal(undefined);
    expect(await build()).to.equal(true);
    expect(run()).to.equal('hello A and B\n');
  });
  it('goes to a directory of its own, for images', async () => {
    const directory = join(place.checkout, 'dist');
    await buildPrograms(directory, place, programs);
    expect(execFileSync(process.execPath, [join(directory, 'greet.mjs')], { encoding: 'utf8' })).to.equal(
      'hello A and B\n',
    );
    expect(bundledPrograms(place)).to.equal(undefined);
  });
  it('has a large table once, for programs that share no files too', async () => {
    const directory = join(place.checkout, 'dist');
    write('packages/greet/names.json', JSON.stringify(Array.from({ length: 1000 }, (_, index) => `name ${index}`)));
    await buildPrograms(directory, place, { ...programs, cli: programs.greet });
    const tables = readdirSync(directory).filter((name) => name.endsWith('.json'));
    expect(tables).to.have.lengthOf(1);
    for (const name of readdirSync(directory).filter((each) => each.endsWith('.mjs')))
      expect(readFileSync(join(directory, name), 'utf8'), name).not.to.include('name 999');
    for (const program of ['greet', 'cli'])
      expect(execFileSync(process.execPath, [join(directory, `${program}.mjs`)], { encoding: 'utf8' })).to.include(
        'and name 999',
      );
  });
  it('lets packages require their JSON', async () => {
    mkdirSync(join(place.checkout, 'node_modules/codes'), { recursive: true });
    write('node_modules/codes/package.json', '{"name":"codes","main":"index.js"}');
    write('node_modules/codes/index.js', "module.exports = Object.keys(require('./codes.json'));\n");
    write('node_modules/codes/codes.json', '{"200":"OK"}');
    write('packages/greet/main.ts', "import codes from 'codes';\nconsole.log(codes.join());\n");
    await build();
    expect(run()).to.equal('200\n');
  });
  it('is not used once a source has changed, and is made anew', async () => {
    await build();
    write('packages/greet/greeting.ts', "export const greeting: string = 'howdy';\n", hourAgo + 1);
    expect(bundledPrograms(place)).to.equal(undefined);
    await build();
    expect(run()).to.equal('howdy A and B\n');
  });
  it('is not used once a source is gone', async () => {
    await build();
    rmSync(join(place.checkout, 'packages/greet/names.json'));
    expect(bundledPrograms(place)).to.equal(undefined);
  });
  it('is thrown away when a source changes while it is made', async () => {
    write('packages/greet/names.json', '["C"]', Date.now() / 1000 + 60);
    expect(await build()).to.equal(false);
    expect(bundledPrograms(place)).to.equal(undefined);
    expect(readdirSync(place.cacheDirectory)).to.deep.equal([]);
  });
  it('holds what Node compiled of it, and nothing of the sources', async () => {
    await build();
    const before = process.env['NODE_COMPILE_CACHE'];
    delete process.env['NODE_COMPILE_CACHE'];
    try {
      const source = join(place.checkout, programs.greet);
      const bundled = bundledPrograms(place)!.get(source)!;
      expect(compileCacheDirectory(bundled, place)).to.equal(join(bundled, '../compiled'));
      expect(compileCacheDirectory(source, place)).to.equal(join(place.cacheDirectory, 'compiled'));
      process.env['NODE_COMPILE_CACHE'] = '/chosen';
      expect(compileCacheDirectory(bundled, place)).to.equal('/chosen');
    } finally {
      if (before === undefined) delete process.env['NODE_COMPILE_CACHE'];
      else process.env['NODE_COMPILE_CACHE'] = before;
    }
  });
  it('has the command, which knows where its source is', async () => {
    await build();
    expect(isCommandBundled(place)).to.equal(true);
    const [file] = Object.values(readManifest(place.manifestFile)!.command.programs);
    expect(execFileSync(process.execPath, [join(place.checkout, file!)], { encoding: 'utf8' })).to.equal(
      `${pathToFileURL(join(place.checkout, command.cli)).href}\n`,
    );
  });
  it('has the command as it was no longer, once its source has changed, and the programs still', async () => {
    await build();
    write('packages/greet/cli.ts', 'console.log(1);\n', hourAgo + 1);
    expect(isCommandBundled(place)).to.equal(false);
    expect(bundledPrograms(place)).to.have.lengthOf(1);
  });
  it('can be switched off', async () => {
    await build();
    const before = process.env['KUBECHAIN_BUNDLE'];
    process.env['KUBECHAIN_BUNDLE'] = 'off';
    try {
      expect(bundledPrograms(place)).to.equal(undefined);
    } finally {
      if (before === undefined) delete process.env['KUBECHAIN_BUNDLE'];
      else process.env['KUBECHAIN_BUNDLE'] = before;
    }
  });
  it('is not looked for where programs were made before', () => {
    const before = process.env['KUBECHAIN_BUNDLE'];
    process.env['KUBECHAIN_BUNDLE'] = '/image/dist';
    try {
      const source = join(place.checkout, 'packages/kube-apiserver/src/main.ts');
      expect(bundledPrograms(place)?.get(source)).to.equal('/image/dist/kube-apiserver.mjs');
    } finally {
      if (before === undefined) delete process.env['KUBECHAIN_BUNDLE'];
      else process.env['KUBECHAIN_BUNDLE'] = before;
    }
  });
  it('keeps the bundles before it for chains that run', async () => {
    for (let count = 0; count < 5; count++) await build();
    expect(readdirSync(place.cacheDirectory).filter((name) => name.startsWith('bundle-'))).to.have.lengthOf(3);
    expect(run()).to.equal('hello A and B\n');
  });
});
