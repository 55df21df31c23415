import { Backoff } from '@kubechain/apimachinery';
import type { Socket } from 'node:net';
import type { CallStream, CallStreamHandler } from './call-stream.ts';
import { ConnectionPulse } from './connection-pulse.ts';
import { EtcdError } from './etcd-error.ts';
import { joinedCallsPath } from '@kubechain/apimachinery/wire';
import { JoinedStream } from './joined-stream.ts';
import { openFrameStream } from './open-frame-stream.ts';
import type { FrameTarget } from './open-frame-stream.ts';

/** What one read takes at most. */
const readBytes = 64 * 1024;
/** Between two questions whether connections of one call are offered, where that was not clear. */
const askAgainPauses = { firstMs: 1_000, longestMs: 300_000 };

/** Calls of which none holds up those of another lane: answers that may be long have one of their own. */
export type Lane = 'short' | 'long';

/**
 * Connections of one call each to a store that offers them (docs/store-calls.md): one that short unary calls share, one
 * for long ones, and one for each watch. Whoever calls goes to HTTP/2 where there is none.
 */
export class FrameEndpoint {
  readonly #target: FrameTarget;
  /** Whether there is an HTTP/2 connection now: the answer is good for as long as that one. */
  readonly #hasHttp2: () => boolean;
  readonly #lanes: Record<Lane, JoinedStream | undefined> = { short: undefined, long: undefined };
  readonly #opening: Record<Lane, Promise<JoinedStream | undefined> | undefined> = {
    short: undefined,
    long: undefined,
  };
  readonly #pauses = new Backoff(askAgainPauses);
  #offered: 'unknown' | 'refused' | 'unclear' = 'unknown';
  #askAgainMs = 0;
  #closed = false;

  constructor(at: Pick<FrameTarget, 'url' | 'server' | 'options'>, hasHttp2: () => boolean) {
    this.#target = {
      ...at,
      pulse: new ConnectionPulse(at.options),
      buffer: Buffer.allocUnsafeSlow(readBytes),
      opening: new Set<Socket>(),
    };
    this.#hasHttp2 = hasHttp2;
  }

  /** Where to call, if it is there. */
  lane(lane: Lane): JoinedStream | undefined {
    const stream = this.#lanes[lane];
    return stream?.open === true ? stream : undefined;
  }

  /**
   * Where to call; undefined: over HTTP/2.
   * @throws EtcdError `Unavailable`, not sent, where the endpoint cannot be reached; `Cancelled` after `close`
   */
  async open(lane: Lane): Promise<JoinedStream | undefined> {
    if (this.#closed) throw new EtcdError('Cancelled', `the ${this.#target.options.peer ?? 'etcd'} client is closed`);
    if (this.#offered !== 'unknown' && this.#hasHttp2()) {
      if (this.#offered === 'unclear' && performance.now() >= this.#askAgainMs)
        void this.#ask(lane).catch(() => undefined);
      return undefined;
    }
    return this.lane(lane) ?? this.#ask(lane);
  }

  /** A call of its own; undefined: over HTTP/2. @throws EtcdError as `open` does */
  async stream(path: string, handler: CallStreamHandler): Promise<CallStream | undefined> {
    // Asked once, however many watches begin.
    if ((this.lane('short') ?? (await this.open('short'))) === undefined) return undefined;
    return this.#openStream(path, handler);
  }

  close(): void {
    this.#closed = true;
    const { opening, pulse } = this.#target;
    const sockets = [...opening];
    opening.clear();
    for (const socket of sockets) socket.destroy();
    pulse.close();
  }

  #ask(lane: Lane): Promise<JoinedStream | undefined> {
    return (this.#opening[lane] ??= this.#openLane(lane).finally(() => {
      this.#opening[lane] = undefined;
    }));
  }

  async #openLane(lane: Lane): Promise<JoinedStream | undefined> {
    this.#askAgainMs = performance.now() + this.#pauses.next();
    const joined: JoinedStream = new JoinedStream({
      server: this.#target.server,
      gone: () => {
        if (this.#lanes[lane] === joined) this.#lanes[lane] = undefined;
      },
    });
    const stream = await this.#openStream(joinedCallsPath, joined);
    if (stream === undefined) return undefined;
    joined.start(stream);
    if (joined.open) this.#lanes[lane] = joined;
    return joined;
  }

  async #openStream(path: string, handler: CallStreamHandler): Promise<CallStream | undefined> {
    const outcome = await openFrameStream(this.#target, path, handler);
    if (outcome.kind !== 'taken') {
      this.#offered = outcome.kind;
      return undefined;
    }
    this.#offered = 'unknown';
    this.#pauses.reset();
    return outcome.stream;
  }
}
