import type { StreamHandler, StreamReplies } from '../grpc/method.ts';
import type { Identity } from '../proto/response-header.ts';
import { replyHeader } from '../proto/response-header.ts';
import { decode, encodeFrame } from '../proto/message.ts';
import { LeaseId, LeaseKeepAliveResponse } from '../proto/rpc-lease.ts';
import type { Lessor } from './lessor.ts';

/** What keep-alive streams work on; `revision` is the newest committed one. */
export interface KeepAliveContext {
  readonly lessor: Lessor;
  readonly identity: Identity;
  readonly revision: () => number;
}

/** Lease.LeaseKeepAlive: each request renews a lease; a lease that is gone is answered with TTL 0. */
export class KeepAliveStream implements StreamHandler {
  readonly #context: KeepAliveContext;
  readonly #replies: StreamReplies;

  constructor(context: KeepAliveContext, replies: StreamReplies) {
    this.#context = context;
    this.#replies = replies;
  }

  message(bytes: Buffer): void {
    const { id } = decode(LeaseId, bytes);
    const { lessor, identity, revision } = this.#context;
    const reply = { header: replyHeader(identity, revision()), id, ttl: lessor.renew(id) ?? 0 };
    this.#replies.send(encodeFrame(LeaseKeepAliveResponse, reply));
  }

  halfClosed(): void {
    this.#replies.end();
  }

  drained(): void {
    // Replies are a few bytes each; nothing waits for room.
  }

  closed(): void {
    // The lease lives on without its stream.
  }
}
