import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/**
 * What a page that is open is to a chain: somebody who follows its feed. It draws nothing, so that what a browser takes
 * of the same processors, and of their caches, is not taken for the chain's.
 */
export class FeedFollower {
  readonly #feed: IncomingMessage;
  /** Bytes that have come. */
  bytes = 0;

  private constructor(feed: IncomingMessage) {
    this.#feed = feed;
    feed.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
    });
    // It is cut when nobody follows any more.
    feed.on('error', () => undefined);
  }

  /** @param address the page's address, with its token */
  static async open(address: string): Promise<FeedFollower> {
    const entered = await answerTo(address, {});
    entered.resume();
    const cookie = (entered.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? '';
    const feed = await answerTo(new URL('/feed', address).href, { cookie });
    if (feed.statusCode !== 200) throw new TypeError(`the feed answered ${feed.statusCode}`);
    return new FeedFollower(feed);
  }

  close(): void {
    this.#feed.destroy();
  }
}

async function answerTo(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { agent: false, headers }), 'response')) as [IncomingMessage];
  return answer;
}
