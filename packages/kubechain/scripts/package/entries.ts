/** What the package `kubechain` is made of: names of built files, and their sources relative to the root. */
const own = 'packages/kubechain/src';

/**
 * Entry points that users import: sub-path of the package, built file, source; and whether a CommonJS form is built.
 */
export const entryPoints = [
  { path: '.', file: 'index', source: `${own}/index.ts`, commonJS: true },
  { path: './testing', file: 'testing', source: `${own}/testing/index.ts`, commonJS: true },
  { path: './testing/matchers', file: 'testing-matchers', source: `${own}/testing/matchers.ts`, commonJS: true },
  { path: './testing/mocha', file: 'testing-mocha', source: `${own}/testing/presets/mocha.ts`, commonJS: true },
  { path: './testing/jest', file: 'testing-jest', source: `${own}/testing/presets/jest.ts`, commonJS: true },
  {
    path: './testing/jest-teardown',
    file: 'testing-jest-teardown',
    source: `${own}/testing/presets/jest-teardown.ts`,
    commonJS: true,
  },
  {
    path: './testing/mocha-worker',
    file: 'testing-mocha-worker',
    source: `${own}/testing/presets/mocha-worker.ts`,
    commonJS: true,
  },
  {
    path: './testing/jest-worker',
    file: 'testing-jest-worker',
    source: `${own}/testing/presets/jest-worker.ts`,
    commonJS: true,
  },
  {
    path: './testing/node-test',
    file: 'testing-node-test',
    source: `${own}/testing/presets/node-test.ts`,
    commonJS: false,
  },
  { path: './testing/vitest', file: 'testing-vitest', source: `${own}/testing/presets/vitest.ts`, commonJS: false },
  {
    path: './testing/node-test-worker',
    file: 'testing-node-test-worker',
    source: `${own}/testing/presets/node-test-worker.ts`,
    commonJS: false,
  },
  {
    path: './testing/vitest-worker',
    file: 'testing-vitest-worker',
    source: `${own}/testing/presets/vitest-worker.ts`,
    commonJS: false,
  },
  { path: './all-in-one', file: 'all-in-one', source: `${own}/all-in-one/index.ts`, commonJS: false },
  { path: './extension', file: 'extension', source: 'packages/apiserver/src/extension/index.ts', commonJS: false },
] as const;

/** Programs that run as processes or threads, and the command. */
export const programs: Readonly<Record<string, string>> = {
  cli: `${own}/cli/main.ts`,
  etcd: 'packages/embedded-etcd/src/main.ts',
  'kube-apiserver': 'packages/kube-apiserver/src/main.ts',
  aggregator: 'packages/aggregator/src/main.ts',
  apiextensions: 'packages/apiextensions/src/main.ts',
  controllers: 'packages/controllers/src/main.ts',
  'child-guard': `${own}/supervisor/child-guard.ts`,
  'envtest-etcd': `${own}/envtest/etcd-main.ts`,
  'envtest-kube-apiserver': `${own}/envtest/kube-apiserver-main.ts`,
  'thread-main': `${own}/all-in-one/thread-main.ts`,
  'called-main': `${own}/all-in-one/called-main.ts`,
  tenants: `${own}/all-in-one/tenants-main.ts`,
};
