import type { ServerResponse } from 'node:http';
import type { FeedMessage, ProcessState } from './feed-messages.ts';
import { ProcessStream } from './process-stream.ts';

const lookEveryMs = 2_000;
/** What a page may leave unread; requests are left out then. */
const mostUnreadBytes = 2 * 1024 * 1024;

/** What the feed is made of. */
export interface ChainFeedOptions {
  /** Sockets of processes that tell about their requests, by name. */
  readonly sockets: ReadonlyMap<string, string>;
  /** Looks at all processes. */
  readonly look: () => Promise<readonly ProcessState[]>;
}

/** Tells all open pages what the processes tell. With none open, nobody is listened to. */
export class ChainFeed {
  readonly #options: ChainFeedOptions;
  readonly #pages = new Set<ServerResponse>();
  #streams: readonly ProcessStream[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(options: ChainFeedOptions) {
    this.#options = options;
  }

  /** How many pages are open. */
  get pages(): number {
    return this.#pages.size;
  }

  /** Answers with events until the page goes away. */
  follow(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.flushHeaders();
    this.#pages.add(response);
    if (this.#pages.size === 1) this.#open();
    response.once('close', () => {
      if (this.#pages.delete(response) && this.#pages.size === 0) this.close();
    });
    void this.#look();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stream of this.#streams) stream.close();
    this.#streams = [];
    for (const page of this.#pages) page.end();
  }

  #open(): void {
    this.#streams = [...this.#options.sockets].map(([name, path]) => {
      const head = `{"kind":"told","process":${JSON.stringify(name)},"message":`;
      return new ProcessStream(path, (line) => {
        this.#send(`${head}${line}}`, !line.startsWith('{"kind":"request"'));
      });
    });
    this.#timer = setInterval(() => void this.#look(), lookEveryMs);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const processes = await this.#options.look();
      this.#send(JSON.stringify({ kind: 'processes', processes } satisfies FeedMessage), true);
    } finally {
      this.#looking = false;
    }
  }

  #send(json: string, always: boolean): void {
    for (const page of this.#pages)
      if (always || page.writableLength < mostUnreadBytes) page.write(`data: ${json}\n\n`);
  }
}
