import type { Kind, Preset, Runner } from './projects.ts';

const isTyped = ({ language }: Kind): boolean => language === 'ts';
/** TypeScript in CommonJS form is more than types to strip: tsx compiles it. */
export const isCompiled = (kind: Kind): boolean => isTyped(kind) && kind.module === 'cjs';

const presetOf = (runner: string, preset: Preset): string =>
  `kubechain/testing/${runner}${preset === 'worker' ? '-worker' : ''}`;

/** The four test runners, by name, each as its documents say. */
export const runners = {
  mocha: {
    packages: ['mocha@^12.0.3', '@types/mocha@^10.0.10'],
    names: { test: 'it', before: 'before', after: 'after', from: 'mocha' },
    globals: true,
    requires: true,
    files: () => ({}),
    command: (kind, preset) => ({
      args: [
        '../node_modules/mocha/bin/mocha.js',
        ...(isCompiled(kind) ? ['--require', 'tsx/cjs'] : []),
        ...(preset === 'worker' ? ['--parallel', '--jobs', '2'] : []),
        '--require',
        presetOf('mocha', preset),
        '--timeout',
        '60000',
        `tests/*.test.${kind.language}`,
      ],
    }),
  },
  vitest: {
    packages: ['vitest@^5.1.1'],
    names: { test: 'test', before: 'beforeAll', after: 'afterAll', from: 'vitest' },
    globals: false,
    requires: false,
    files: (_kind, preset) => {
      const test = {
        include: ['tests/**'],
        maxWorkers: 2,
        testTimeout: 60_000,
        globalSetup: presetOf('vitest', preset),
        ...(preset === 'worker' ? { setupFiles: presetOf('vitest', preset) } : {}),
      };
      return { 'vitest.config.mjs': `export default { test: ${JSON.stringify(test)} };\n` };
    },
    command: () => ({ args: ['../node_modules/vitest/vitest.mjs', 'run'] }),
  },
  jest: {
    packages: ['jest@^30.5.2', '@jest/globals@^30.5.2', 'ts-jest@^29.4.15'],
    names: { test: 'test', before: 'beforeAll', after: 'afterAll', from: '@jest/globals' },
    globals: true,
    requires: true,
    files: (kind, preset) => ({
      'jest.config.json': JSON.stringify({
        ...(isTyped(kind) ? { preset: kind.module === 'esm' ? 'ts-jest/presets/default-esm' : 'ts-jest' } : {}),
        testTimeout: 60_000,
        maxWorkers: 2,
        globalSetup: presetOf('jest', preset),
        globalTeardown: 'kubechain/testing/jest-teardown',
        ...(preset === 'worker' ? { setupFilesAfterEnv: [presetOf('jest', preset)] } : {}),
      }),
    }),
    command: ({ module }) => ({
      args: [...(module === 'esm' ? ['--experimental-vm-modules'] : []), '../node_modules/jest/bin/jest.js'],
    }),
  },
  'node-test': {
    packages: [],
    names: { test: 'test', before: 'before', after: 'after', from: 'node:test' },
    globals: false,
    requires: true,
    files: (_kind, preset) => ({ 'setup.mjs': `export * from '${presetOf('node-test', preset)}';\n` }),
    command: (kind, preset) => ({
      args: [
        '--test',
        '--test-global-setup=setup.mjs',
        ...(isCompiled(kind) ? ['--import', 'tsx'] : []),
        ...(preset === 'worker' ? ['--import', presetOf('node-test', preset)] : []),
        `tests/*.test.${kind.language}`,
      ],
    }),
  },
} as const satisfies Record<string, Runner>;
