/** So many documents of one server are asked for at a time: each may fill a buffer of the largest size. */
const atOnce = 4;

interface Server {
  running: number;
  readonly waiting: (() => void)[];
}

/** Has questions to one server wait for each other, beyond a few; those to others do not wait for them. */
export class FewAtOnce {
  readonly #servers = new Map<string, Server>();

  /** Asks when it is its turn; `key` names the server. */
  async ask<T>(key: string, question: () => Promise<T>): Promise<T> {
    let server = this.#servers.get(key);
    if (server === undefined) this.#servers.set(key, (server = { running: 0, waiting: [] }));
    const { waiting } = server;
    // Whoever ends hands its place on.
    if (server.running < atOnce) server.running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await question();
    } finally {
      const next = waiting.shift();
      if (next !== undefined) next();
      else if (--server.running === 0) this.#servers.delete(key);
    }
  }
}
