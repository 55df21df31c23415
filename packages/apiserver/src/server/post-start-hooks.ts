import { messageOf } from '@kubechain/apimachinery';
import type { HealthCheck } from '../health/health-check.ts';
import { Logger } from '../logging/logger.ts';

const log = new Logger('hooks');

/**
 * Work that begins when the server listens; resolves when it is done starting. It may go on in the background until
 * `signal` aborts.
 */
export type PostStartHook = (context: PostStartHookContext) => void | Promise<void>;
/** Work to finish while the server still answers, before it drains. */
export type PreShutdownHook = () => void | Promise<void>;

/** What hooks get. */
export interface PostStartHookContext {
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** A hook that failed: the process cannot go on, as upstream's cannot. */
export class PostStartHookError extends Error {
  override readonly name = 'PostStartHookError';
}

interface Hook {
  readonly name: string;
  readonly run: PostStartHook;
  done: boolean;
  error: unknown;
}

/**
 * Post-start and pre-shutdown hooks of one server, each post-start hook with a health check `poststarthook/<name>`
 * (server/hooks.go).
 */
export class PostStartHooks {
  readonly #hooks = new Map<string, Hook>();
  #done = false;
  readonly #preShutdown = new Map<string, PreShutdownHook>();

  /** @throws TypeError when the name is taken: a wiring mistake */
  add(name: string, run: PostStartHook): HealthCheck {
    if (this.#hooks.has(name)) throw new TypeError(`post-start hook ${name} is already registered`);
    const hook: Hook = { name, run, done: false, error: undefined };
    this.#hooks.set(name, hook);
    return {
      name: `poststarthook/${name}`,
      check() {
        if (!hook.done) throw new PostStartHookError('not finished');
      },
    };
  }

  /** Whether all hooks have been run and are done. */
  get done(): boolean {
    return this.#done;
  }

  /** @throws PostStartHookError when a hook whose name matches has not finished */
  requireDone(names: RegExp): void {
    const waiting = [...this.#hooks.values()]
      .filter(({ name, done }) => !done && names.test(name))
      .map(({ name }) => name);
    if (waiting.length > 0)
      throw new PostStartHookError(`${waiting.length} informers not started yet: [${waiting.join(' ')}]`);
  }

  addPreShutdown(name: string, run: PreShutdownHook): void {
    if (this.#preShutdown.has(name)) throw new TypeError(`pre-shutdown hook ${name} is already registered`);
    this.#preShutdown.set(name, run);
  }

  /** Starts all hooks at once; rejects with the first failure, after which the process should end. */
  async run(context: PostStartHookContext): Promise<void> {
    await Promise.all(
      [...this.#hooks.values()].map(async (hook) => {
        try {
          await hook.run(context);
          hook.done = true;
        } catch (error) {
          if (context.signal.aborted) return;
          throw new PostStartHookError(`PostStartHook ${JSON.stringify(hook.name)} failed: ${messageOf(error)}`, {
            cause: error,
          });
        }
      }),
    );
    this.#done = true;
  }

  /** Runs all pre-shutdown hooks; failures are logged, a shutdown goes on. */
  async runPreShutdown(): Promise<void> {
    await Promise.all(
      [...this.#preShutdown].map(async ([name, run]) => {
        try {
          await run();
        } catch (error) {
          log.error('pre-shutdown hook failed', error, { hook: name });
        }
      }),
    );
  }
}
