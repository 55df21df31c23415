import { join } from 'node:path';
import type { JSONClient } from '../json-client.ts';
import { FunctionErrors, type FunctionError } from './function-errors.ts';
import { FunctionServer, type ServedFunction } from './function-server.ts';

/** A function that servers call. Disposing of it removes it, and throws what it has thrown and nobody has asked for. */
export interface RegisteredFunction extends AsyncDisposable {
  readonly name: string;
  /** How often it was called. */
  readonly calls: number;
  /** What went wrong since this was asked last. A call whose time is about over is waited for. */
  errors(): Promise<readonly FunctionError[]>;
  /** Takes it out of the servers again; when this resolves none of them calls it any more. Idempotent. */
  remove(): Promise<void>;
}

/** Where functions are registered. */
export interface FunctionPlace {
  readonly dataDir: string;
  readonly client: JSONClient;
  /** PEM. */
  readonly caCertificate: string;
  /** Whether what is stored outlives the environment, and with it what servers are told of functions. */
  readonly kept: boolean;
}

/** A function on its way to the servers. */
export interface NewFunction extends Omit<ServedFunction, 'registeredAt'> {
  readonly path: string;
  /** Whether a call counts. */
  counts?(call: Parameters<ServedFunction['answer']>[0]): boolean;
  /** Tells the servers. */
  register(): Promise<void>;
  /** Takes it back; not being there any more is no error. With `wait`, no server calls it when this resolves. */
  unregister(options: { readonly wait: boolean }): Promise<void>;
}

/** The functions of an environment: one port, opened with the first. */
export class Functions {
  readonly place: FunctionPlace;
  readonly #errors = new FunctionErrors();
  readonly #registered = new Set<NewFunction>();
  #server: Promise<FunctionServer> | undefined;
  #lastNumber = 0;

  constructor(place: FunctionPlace) {
    this.place = place;
  }

  /** A number that no other function has. */
  nextNumber(): number {
    return ++this.#lastNumber;
  }

  server(): Promise<FunctionServer> {
    return (this.#server ??= FunctionServer.open(join(this.place.dataDir, 'pki'), this.#errors));
  }

  /** What went wrong in functions since this was asked last. */
  async errors(): Promise<readonly FunctionError[]> {
    await (await this.#server)?.overdue();
    return this.#errors.take();
  }

  /** Serves a function and tells the servers. */
  async add(added: NewFunction, registeredAt: Error): Promise<RegisteredFunction> {
    const server = await this.server();
    const { name, path } = added;
    let calls = 0;
    server.add(path, {
      name,
      registeredAt,
      describe: (call) => added.describe(call),
      failed: (call, error) => added.failed(call, error),
      answer: (call) => {
        if (added.counts?.(call) ?? true) calls++;
        return added.answer(call);
      },
    });
    let removed: Promise<void> | undefined;
    const remove = (): Promise<void> =>
      (removed ??= (async () => {
        this.#registered.delete(added);
        await added.unregister({ wait: true });
        server.remove(path);
      })());
    const registered: RegisteredFunction = {
      name,
      get calls() {
        return calls;
      },
      errors: async () => {
        await server.overdue(name);
        return this.#errors.take(name);
      },
      remove,
      [Symbol.asyncDispose]: async () => {
        await remove();
        await server.overdue(name);
        this.#errors.rethrow(name);
      },
    };
    this.#registered.add(added);
    try {
      await added.register();
    } catch (error) {
      await remove();
      throw error;
    }
    return registered;
  }

  /** Takes back what servers were told, where that would outlive the environment. */
  async retire(): Promise<void> {
    if (this.place.kept) for (const added of this.#registered) await added.unregister({ wait: false });
  }

  /** Ends when no server calls any more. @throws what functions have thrown and nobody has asked for */
  async close(): Promise<void> {
    if (this.#server === undefined) return;
    await (await this.#server).close();
    this.#errors.rethrow();
  }
}

/** Where a function is registered in the test: called by the method that the test has called. */
export function registrationOf(name: string): Error {
  const error = new Error(`${name} was registered here`);
  const [message, , , ...callers] = (error.stack ?? '').split('\n');
  error.stack = [message, ...callers].join('\n');
  return error;
}
