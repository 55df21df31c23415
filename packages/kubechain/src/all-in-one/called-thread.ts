import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { LaunchError } from '../launch-error.ts';
import { JSONClient, warningsIn, type APIAnswer, type APIRequest } from '../testing/json-client.ts';
import type { CalledThreadData, FromCalledThread, ToCalledThread } from './called-messages.ts';
import { serverThread } from './server-thread.ts';
import { errorOf } from './thread-failure.ts';

/** The program of the thread: beside this file, as a source or built. */
const calledMain = fileURLToPath(new URL(`./called-main${extname(import.meta.url)}`, import.meta.url));

const youngMB = 192;

/**
 * Servers on a thread of this process, in memory, that are asked by messages, as the administrator: nothing listens,
 * so that there are no certificates, keys and connections to be made. The thread begins with it; what is asked before
 * its servers have started waits for them. It does not keep the process alive while nobody is asked.
 */
export class CalledThread extends JSONClient {
  readonly #worker: Worker;
  readonly #asked = new Map<number, PromiseWithResolvers<APIAnswer>>();
  #lastId = 0;
  #failed: Error | undefined;

  /** @param flags of kube-apiserver; what is wrong with them is told by whatever is asked */
  constructor(flags: readonly string[]) {
    super();
    this.#worker = serverThread(calledMain, {
      workerData: flags satisfies CalledThreadData,
      // It ends soon: what it makes meanwhile need not be copied about.
      resourceLimits: { maxYoungGenerationSizeMb: youngMB },
    });
    this.#worker.on('message', (message: FromCalledThread) => {
      this.#heard(message);
    });
    this.#worker.once('error', (error: Error) => {
      this.#fail(error);
    });
    this.#worker.once('exit', () => {
      this.#fail(new LaunchError('Process', 'the thread of the servers has ended'));
    });
  }

  /** @throws LaunchError in one line when the servers cannot start */
  override ask({ body, contentType = 'application/json', method, path, userAgent }: APIRequest): Promise<APIAnswer> {
    if (this.#failed !== undefined) return Promise.reject(this.#failed);
    const id = ++this.#lastId;
    const asked = Promise.withResolvers<APIAnswer>();
    this.#asked.set(id, asked);
    const call = {
      method,
      url: path,
      headers: {
        accept: 'application/json',
        ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
    };
    this.#worker.postMessage({ id, call } satisfies ToCalledThread);
    return asked.promise;
  }

  /** Ends the thread, with all that its servers know. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #heard(message: FromCalledThread): void {
    if (message.kind === 'failed') {
      this.#fail(errorOf(message.failure));
      return;
    }
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.kind === 'broken') asked?.reject(errorOf(message.failure));
    else asked?.resolve({ status: message.status, text: message.text, warnings: warningsIn(message.warning) });
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    for (const { reject } of this.#asked.values()) reject(this.#failed);
    this.#asked.clear();
  }
}
