import { startTestEnvironment } from '../start-test-environment.ts';
import type { TestEnvironment } from '../test-environment.ts';
import { optionsOfProject } from './project-options.ts';

/**
 * One environment for a whole run, which tests find by `KUBECONFIG`, whatever process they run in. What it is started
 * with is what package.json says under `kubechain.testEnvironment`.
 */
export class RunEnvironment {
  #env: TestEnvironment | undefined;
  #before: string | undefined;

  /** Resolves when it is ready and `KUBECONFIG` is set. */
  async start(): Promise<TestEnvironment> {
    this.#env = await startTestEnvironment(optionsOfProject());
    this.#before = process.env['KUBECONFIG'];
    process.env['KUBECONFIG'] = this.#env.kubeconfig;
    return this.#env;
  }

  /** Ends it, and sets `KUBECONFIG` back. */
  async stop(): Promise<void> {
    await this.#env?.stop();
    this.#env = undefined;
    if (this.#before === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = this.#before;
  }
}
