import { expect } from 'chai';
import { globSync, readFileSync } from 'node:fs';
import { NodeReleases, oldestNode } from './node-releases.ts';
import { packedTarballs } from './packed.ts';
import { UserProject } from './user-project.ts';

/** Compilers that users have: the newest, and the last one written in JavaScript. */
const releases = { typescript7: '7.0.2', typescript5: '5.9.3' } as const;

/** Those whose import starts a program. */
const isProgram = (entry: string): boolean => entry.endsWith('/main');

/** Those that wait while they are imported, which no `require` does. */
const waiting: readonly string[] = ['kubechain/testing/node-test-worker', 'kubechain/testing/vitest-worker'];

/** Those that a module of this kind can import. */
function importedBy(type: 'mts' | 'cts', entries: readonly string[]): readonly string[] {
  return type === 'mts' ? entries : entries.filter((entry) => !waiting.includes(entry));
}

/** Everything that the packages of a project export, of paths with a `*` one. */
function entryPoints(project: UserProject): readonly string[] {
  return globSync(['kubechain', '@kubechain/*'], { cwd: project.path('node_modules') }).flatMap((name) => {
    const manifest = readFileSync(project.path('node_modules', name, 'package.json'), 'utf8');
    const { exports } = JSON.parse(manifest) as { readonly exports: object };
    return Object.keys(exports)
      .filter((path) => path !== './package.json')
      .map((path) => name + path.slice(1).replace('*', 'core/v1'));
  });
}

/** A program that imports all of them, and prints those that it could. */
function importsAll(entries: readonly string[]): string {
  const lines = entries.map(
    (entry, index) => `import ${isProgram(entry) ? 'type ' : ''}* as e${index} from '${entry}';`,
  );
  const values = entries.flatMap((entry, index) => (isProgram(entry) ? [] : [`'${entry}': e${index}`]));
  const types = entries.flatMap((entry, index) => (isProgram(entry) ? [`typeof e${index}`] : []));
  return `${lines.join('\n')}
export type Programs = [${types.join(', ')}];
const all: Record<string, object> = { ${values.join(', ')} };
console.log(JSON.stringify(Object.keys(all)));
`;
}

/** What a test of a user does, with all that an environment has; `main` is called in CommonJS form too. */
const usesAll = `
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { isLaunchError, startTestEnvironment, type TestEnvironment, type TestUser } from 'kubechain/testing';
import type { ExtensionServer } from 'kubechain/extension';

const names = async (kubeConfig: TestEnvironment['kubeConfig']): Promise<string[]> => {
  const config = new KubeConfig();
  config.loadFromOptions(kubeConfig);
  const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
  return items.flatMap(({ metadata }) => metadata?.name ?? []);
};
export type Name = ExtensionServer['name'];

async function main(): Promise<void> {
  await using env = await startTestEnvironment({ flags: ['-v=1'] });
  await env.install('{apiVersion: v1, kind: Namespace, metadata: {name: mine}}');
  const jane: TestUser = await env.addUser('jane', ['system:masters']);
  const seen = await names(jane.kubeConfig);
  const refused = await startTestEnvironment({ flags: ['--nope'] }).catch((error: unknown) => error);
  console.log(JSON.stringify({ mine: seen.includes('mine'), refused: isLaunchError(refused) && refused.code }));
}
void main();
`;

/** How projects resolve modules, and the files of each. */
const projects = [
  {
    module: 'nodenext',
    options: ['--module', 'nodenext'],
    types: ['mts', 'cts'],
    compilers: ['typescript7', 'typescript5'],
  },
  {
    module: 'bundler',
    options: ['--module', 'esnext', '--moduleResolution', 'bundler'],
    types: ['mts'],
    compilers: ['typescript7'],
  },
] as const;

describe('the packages in TypeScript, strict and with the declarations of libraries checked', function () {
  this.timeout(300_000);
  let project: UserProject;
  let node22: NodeReleases;
  let entries: readonly string[];

  before(async function () {
    this.timeout(900_000);
    const tarballs = await packedTarballs();
    node22 = await NodeReleases.open(22);
    project = new UserProject();
    await project.install(
      ...tarballs,
      ...Object.entries(releases).map(([name, version]) => `${name}@npm:typescript@${version}`),
      // The first declares a part of what it exports by the others' types, without saying so.
      '@kubernetes/client-node@^2.0.1',
      '@types/ws',
      // Of the storage contract's, which is optional.
      'chai@^6',
    );
    entries = entryPoints(project);
    const { engines } = JSON.parse(readFileSync(project.path('node_modules/kubechain/package.json'), 'utf8')) as {
      readonly engines: unknown;
    };
    expect(engines).to.deep.equal({ node: `>=${oldestNode.replace(/\.0$/, '')}` });
    expect(entries).to.include.members([
      'kubechain',
      'kubechain/extension',
      '@kubechain/apiserver/extension',
      ...waiting,
    ]);
    for (const type of ['mts', 'cts'] as const)
      project.write({ [`src/all.${type}`]: importsAll(importedBy(type, entries)), [`src/use.${type}`]: usesAll });
  });
  after(() => {
    project?.[Symbol.dispose]();
    node22?.[Symbol.dispose]();
  });

  for (const { compilers, module, options, types } of projects)
    for (const compiler of compilers) {
      const out = `${module}-${compiler}`;
      it(`compile as ${module} with ${compiler}, every entry point`, async () => {
        const target = ['--target', 'es2022', '--lib', 'es2024,esnext.disposable', '--types', 'node'];
        const strict = [
          '--strict',
          '--exactOptionalPropertyTypes',
          '--noUncheckedIndexedAccess',
          '--skipLibCheck',
          'false',
        ];
        const files = types.flatMap((type) => [`src/all.${type}`, `src/use.${type}`]);
        const tsc = project.path('node_modules', compiler, 'bin/tsc');
        const args = [tsc, ...options, ...target, ...strict, '--outDir', out, ...files];
        expect(await project.execute(process.execPath, args)).to.deep.equal({ code: 0, stdout: '', stderr: '' });
      });
    }

  for (const { module, types } of projects)
    for (const type of types) {
      const node = (): string => node22.program(22);
      const program = (name: string): string => `${module}-typescript7/${name}.${type.replace('ts', 'js')}`;
      it(`run on Node ${oldestNode} as ${module} (${type})`, async () => {
        const all = await project.execute(node(), [program('all')]);
        expect(all.code, all.stderr).to.equal(0);
        expect(JSON.parse(all.stdout)).to.have.members(importedBy(type, entries).filter((entry) => !isProgram(entry)));
        const use = await project.execute(node(), [program('use')]);
        expect(use.code, use.stderr).to.equal(0);
        expect(JSON.parse(use.stdout)).to.deep.equal({ mine: true, refused: 'Process' });
      });
    }
});
