import { request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { InnerAccess } from './chart-release.ts';

const PAUSE_MS = 100;
const TIMEOUT_MS = 20_000;
const PATH = '/api/v1/namespaces/default';

/** Asks a control plane again and again, each time over a connection of its own, until it is stopped. */
export class GapPoller {
  asked = 0;
  /** Why each answer was not what it should be, with its time. */
  readonly failures: string[] = [];
  readonly #access: InnerAccess;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(access: InnerAccess) {
    this.#access = access;
    this.#done = this.#poll();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #poll(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const beganMs = Date.now();
      const answer = await this.#ask();
      this.asked++;
      if (answer !== '200') this.failures.push(`${new Date(beganMs).toISOString()}: ${answer}`);
      await delay(PAUSE_MS);
    }
  }

  #ask(): Promise<string> {
    const { url, token } = this.#access;
    return new Promise((resolve) => {
      const asking = request(
        new URL(PATH, url),
        {
          agent: false,
          rejectUnauthorized: false,
          timeout: TIMEOUT_MS,
          headers: { authorization: `Bearer ${token}`, connection: 'close' },
        },
        (response) => {
          const { statusCode } = response;
          response
            .setEncoding('utf8')
            .toArray()
            .then(
              (parts) => {
                resolve(statusCode === 200 ? '200' : `${statusCode}: ${parts.join('')}`);
              },
              (error: unknown) => {
                resolve(String(error));
              },
            );
        },
      );
      asking.once('timeout', () => asking.destroy(new Error('no answer in time')));
      asking.once('error', (error) => {
        resolve(error.message);
      });
      asking.end();
    });
  }
}
