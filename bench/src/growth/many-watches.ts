import { readFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Contender } from '../compare/contender.ts';

/** Streams of one connection: informers of one client share it. */
const streamsOfConnection = 100;
const patienceMs = 300_000;

/** Watches, and lists that go on as watches, over few connections of HTTP/2. */
export class ManyWatches {
  /** Lines that have come: an event each. */
  lines = 0;
  readonly #contender: Contender;
  readonly #sessions: ClientHttp2Session[] = [];
  #open = 0;

  constructor(contender: Contender) {
    this.#contender = contender;
  }

  /** Opens one of each path; resolves when all are answered. */
  async open(paths: readonly string[]): Promise<void> {
    // Some at a time, as clients come.
    for (let from = 0; from < paths.length; from += 50)
      await Promise.all(paths.slice(from, from + 50).map((path) => this.#watch(path)));
  }

  /** Resolves when there are so many lines. @throws TypeError when they do not come */
  async until(lines: number): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (this.lines < lines) {
      if (performance.now() > deadline) throw new TypeError(`${this.lines} of ${lines} events came`);
      await delay(10);
    }
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  #watch(path: string): Promise<void> {
    const session = (this.#sessions[Math.floor(this.#open++ / streamsOfConnection)] ??= this.#connect());
    return new Promise((resolve, reject) => {
      const stream = session.request({ ':path': path });
      stream.once('response', (headers) => {
        if (headers[':status'] === 200) resolve();
        else reject(new TypeError(`${path}: ${headers[':status']}`));
      });
      stream.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.lines++;
      });
      stream.on('error', reject);
    });
  }

  #connect(): ClientHttp2Session {
    const read = (name: string): Buffer => readFileSync(join(this.#contender.dataDir, 'pki', name));
    const session = connect(`https://127.0.0.1:${this.#contender.port}`, {
      ca: read('ca.crt'),
      cert: read('admin.crt'),
      key: read('admin.key'),
      settings: { initialWindowSize: 1 << 20 },
    });
    session.on('error', () => undefined);
    return session;
  }
}
