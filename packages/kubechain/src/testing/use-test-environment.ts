import { LaunchError } from '../launch-error.ts';
import { START_TIMEOUT_MS } from './start-timeout.ts';
import { startTestEnvironment } from './start-test-environment.ts';
import type { TestEnvironment, TestEnvironmentOptions } from './test-environment.ts';

/** What a runner calls before and after all tests of a suite. Limits of hooks are too short for slow machines. */
export interface TestHooks {
  readonly before: (hook: () => Promise<void>, timeoutMs?: number) => unknown;
  readonly after: (hook: () => Promise<void>, timeoutMs?: number) => unknown;
}

/**
 * One environment for each file (or suite) that calls this:
 *
 *     const env = useTestEnvironment({ crds: ['config/crd'] });
 *     it('works', async () => { … env().kubeconfig … });
 *
 * The hooks are the runner's globals (mocha, jest, vitest with `globals`); others are handed in: with node:test
 * `useTestEnvironment({}, { before, after })`, with vitest `{ before: beforeAll, after: afterAll }`.
 */
export function useTestEnvironment(options: TestEnvironmentOptions = {}, hooks = globalHooks()): () => TestEnvironment {
  let env: TestEnvironment | undefined;
  hooks.before(async function (this: MochaContext) {
    this?.timeout?.(START_TIMEOUT_MS);
    env = await startTestEnvironment(options);
  }, START_TIMEOUT_MS);
  hooks.after(async function (this: MochaContext) {
    this?.timeout?.(START_TIMEOUT_MS);
    await env?.stop();
  }, START_TIMEOUT_MS);
  return () => {
    if (env === undefined) throw new LaunchError('Usage', 'the environment is there in tests and hooks, not before');
    return env;
  };
}

/** mocha takes limits this way, others as a parameter. */
type MochaContext = { readonly timeout?: (ms: number) => unknown } | undefined;

type Hook = TestHooks['before'];

function globalHooks(): TestHooks {
  const globals = globalThis as { readonly [name: string]: unknown };
  const before = globals['beforeAll'] ?? globals['before'];
  const after = globals['afterAll'] ?? globals['after'];
  if (typeof before !== 'function' || typeof after !== 'function')
    throw new LaunchError('Usage', 'no global hooks: hand in { before, after } of the test runner');
  return { before: before as Hook, after: after as Hook };
}
