import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asJavaScript, mapSpecifiers } from './declarations.ts';
import { keepPublishedFiles } from './published-files.ts';
import { commonManifest, readManifest, root } from './workspace.ts';

/** What published packages leave out: tests, and what only they use. */
const testFiles = ['src/**/*.spec.ts', 'src/**/*.etcd-spec.ts', 'src/**/spec-support/**', 'src/**/fixtures/**'];

/** One file for each source, in `OUTPUT/dist`, and the manifest and texts beside it: a package `@kubechain/…`. */
export function buildLibrary(folder: string, output: string): void {
  const source = join(root, 'packages', folder);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  compile(source, output);
  for (const file of globSync('dist/**/*.d.ts', { cwd: output })) {
    const path = join(output, file);
    writeFileSync(path, mapSpecifiers(readFileSync(path, 'utf8'), asJavaScript));
  }
  for (const file of globSync('src/**/*.json', { cwd: source, exclude: ['**/fixtures/**'] })) {
    const target = join(output, file.replace(/^src/, 'dist'));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(source, file), target);
  }
  const manifest = readManifest(folder);
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, file]) => {
      const built = file.replace(/^\.\/src/, './dist').replace(/\.ts$/, '');
      return [name, { types: `${built}.d.ts`, default: `${built}.js` }];
    }),
  );
  const { peerDependencies = {}, peerDependenciesMeta } = manifest;
  const dependencies = dependenciesOf(manifest.dependencies);
  keepPublishedFiles(output, {
    name: manifest.name,
    entries: Object.values(exports).map((entry) => entry.types),
    declared: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
  });
  const text = {
    ...commonManifest(manifest),
    exports: { ...exports, './package.json': './package.json' },
    files: ['dist'],
    dependencies,
    ...(peerDependenciesMeta === undefined ? {} : { peerDependencies, peerDependenciesMeta }),
  };
  writeFileSync(join(output, 'package.json'), `${JSON.stringify(text, undefined, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(output, 'LICENSE'));
  writeFileSync(
    join(output, 'README.md'),
    `# ${manifest.name}\n\n${manifest.description}. A part of kubechain, a Kubernetes API server in ` +
      'TypeScript; for those who build servers of its parts. To run or test with one, install ' +
      `\`kubechain\`.\n\nES modules, which \`require\` loads as well (Node 22.19 and later). All packages of ` +
      `one version belong together.\n`,
  );
}

/** Texts of types are recorded in the build, so that the packages that have them are not needed. */
function dependenciesOf(dependencies: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    '@types/node': '>=22',
    ...Object.fromEntries(Object.entries(dependencies).filter(([name]) => !/^kubernetes-(models|types)$/.test(name))),
  };
}

function compile(source: string, output: string): void {
  const config = join(source, 'tsconfig.package.json');
  const { references } = JSON.parse(readFileSync(join(source, 'tsconfig.json'), 'utf8')) as { references?: unknown };
  writeFileSync(
    config,
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: {
        composite: false,
        incremental: false,
        emitDeclarationOnly: false,
        rootDir: 'src',
        outDir: join(output, 'dist'),
        sourceMap: true,
        inlineSources: true,
        types: ['node'],
        // The build that came before has done that.
        noCheck: true,
      },
      references,
      include: ['src/**/*.ts'],
      exclude: testFiles,
    }),
  );
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
  } finally {
    rmSync(config);
  }
}
