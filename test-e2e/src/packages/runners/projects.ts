/** How a project of a user is written. */
export interface Kind {
  readonly module: 'esm' | 'cjs';
  readonly language: 'js' | 'ts';
}

export const kinds: readonly Kind[] = [
  { module: 'esm', language: 'js' },
  { module: 'esm', language: 'ts' },
  { module: 'cjs', language: 'js' },
  { module: 'cjs', language: 'ts' },
];

/** One environment for the run, or for each worker. */
export type Preset = 'run' | 'worker';

/** How a runner is used in a project. */
export interface Runner {
  /** What is installed for it, besides kubechain. */
  readonly packages: readonly string[];
  /** Its names: those of hooks and tests, and the module that they are imported from, where they are no globals. */
  readonly names: { readonly test: string; readonly before: string; readonly after: string; readonly from: string };
  /** Whether `useTestEnvironment` finds hooks by itself. */
  readonly globals: boolean;
  /** Whether tests can be loaded by `require`. */
  readonly requires: boolean;
  /** Files of configuration, by path in the project. */
  files(kind: Kind, preset: Preset): Readonly<Record<string, string>>;
  /** Arguments of node, and what is added to the environment. */
  command(kind: Kind, preset: Preset): { readonly args: readonly string[]; readonly env?: Record<string, string> };
}

/** What a project has whatever runs its tests: two files of tests, each with a test of both kinds of environments. */
export function projectFiles(kind: Kind, { globals, names, requires }: Runner): Record<string, string> {
  const tests = ['one', 'two'].map((name) => [
    `tests/${name}.test.${kind.language}`,
    `${imports(kind, { ...names, requires })}
const env${kind.language === 'ts' ? ': () => TestEnvironment' : ''} = useTestEnvironment(${
      globals ? '' : `{}, { before: ${names.before}, after: ${names.after} }`
    });
${names.test}('finds the environment of the preset', async () => {
  await visit('preset', process.env['KUBECONFIG']${kind.language === 'ts' ? ' as string' : ''}, 'of-${name}');
});
${names.test}('has one for this file', async () => {
  await visit('file', env().kubeconfig, 'of-${name}');
});
`,
  ]);
  const module = kind.module === 'esm' ? 'nodenext' : 'node16';
  const compilerOptions = { target: 'es2022', module, strict: true, types: ['node'], isolatedModules: true };
  return {
    'package.json': JSON.stringify({
      name: 'inner',
      private: true,
      type: kind.module === 'esm' ? 'module' : 'commonjs',
      kubechain: { testEnvironment: { crds: ['crd.yaml'] } },
    }),
    'crd.yaml': crd,
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    ...(Object.fromEntries(tests) as Record<string, string>),
  };
}

/** Those of globals only are not imported: mocha's types say that they can be, its ES module form has all but some. */
function imports({ language, module }: Kind, names: Runner['names'] & { readonly requires: boolean }): string {
  const imported = [...new Set([names.test, names.before, names.after])].join(', ');
  if (module === 'cjs' && language === 'js' && names.requires)
    return `const { ${imported} } = require('${names.from}');
const { useTestEnvironment } = require('kubechain/testing');
const { visit } = require('../../support.cjs');`;
  return `import { ${imported} } from '${names.from}';
import { useTestEnvironment${language === 'ts' ? ', type TestEnvironment' : ''} } from 'kubechain/testing';
import { visit } from '../../support.cjs';`;
}

/** That package.json is read shows in that this is served. */
const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
