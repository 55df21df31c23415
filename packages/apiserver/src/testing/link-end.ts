import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { Logging } from '../logging/logger.ts';
import { ClientLink } from '../server/delegation/link/client-link.ts';
import { LinkListener } from '../server/delegation/link/link-listener.ts';

const quiet = new Logging({ verbosity: 0, write: () => undefined });

/** One end of a link, to be fed with bytes as if its peer had sent them; for tests of what it does with any bytes. */
export class LinkEnd {
  /** Requests that were understood, as `METHOD URL`. */
  readonly requests: string[] = [];
  readonly #ours: Socket;
  readonly #theirs: Socket;
  readonly #client: ClientLink | undefined;

  /** `front`: the end that asks; else the one that answers, each request with its own body. */
  constructor(side: 'front' | 'back') {
    const [ours, theirs] = duplexPair() as unknown as [Socket, Socket];
    this.#ours = ours;
    this.#theirs = theirs;
    theirs.on('error', () => undefined);
    ours.on('error', () => undefined).resume();
    if (side === 'front') {
      this.#client = new ClientLink(theirs);
      return;
    }
    const listener = new LinkListener((request, response) => {
      this.requests.push(`${request.method} ${request.url}`);
      request.on('error', () => undefined);
      request.pipe(response);
    });
    listener.open(theirs, Buffer.alloc(0));
  }

  /** Sends a request (front only); what comes back is dropped. */
  ask(): void {
    const link = this.#client;
    if (link === undefined) throw new TypeError('this end answers');
    const nothing = (): void => undefined;
    const answer = {
      id: link.nextID(),
      lastTurn: 0,
      lastPlace: 0,
      run: undefined,
      head: nothing,
      information: nothing,
      body: (_piece: Buffer, used?: () => void) => used?.(),
      pieces: nothing,
      end: nothing,
      credited: nothing,
      broken: nothing,
      failed: nothing,
    };
    link.request(answer, { method: 'GET', url: '/', block: ['A', 'b'], own: [], hasBody: false });
  }

  /** Bytes from the peer. Closed ends take no more. */
  feed(bytes: Buffer): void {
    if (this.#theirs.destroyed) return;
    // What is refused is told in the log, which nobody reads here.
    quiet.run(() => {
      if (this.#client === undefined) this.#theirs.emit('data', bytes);
      else this.#client.received(bytes);
    });
  }

  close(): void {
    this.#theirs.destroy();
    this.#ours.destroy();
  }
}
