import { grpcPrefixBytes, joinedHeadBytes } from '@kubechain/apimachinery/wire';
import { EtcdError, GrpcCode } from '../errors/etcd-error.ts';
import type { GroupCommit, HeldReply } from '../mvcc/group-commit.ts';
import type { Method, StreamHandler, StreamMethod, StreamReplies, UnaryMethod } from './method.ts';
import { toEtcdError } from './unary-call.ts';

/**
 * With as many bytes of replies that wait for their commit or for the client to take them, and one reply more, or as
 * many calls without a reply, no call is begun and nothing more is read: as with watches, a client that does not read
 * costs this much.
 */
const mostReplyBytes = 2 * 1024 * 1024;
const mostUnderWay = 10_000;
/** Longer replies go out behind their heads rather than in one piece with them. */
const mostCopiedBytes = 16 * 1024;

/**
 * Unary calls that share one stream, which saves each of them a stream of HTTP/2 or a connection.
 *
 * ```
 *   request   number: uint32   length: uint8    path: length bytes   message
 *   reply     number: uint32   status: uint8    message, or the text of the error
 * ```
 * Replies come in any order. What is wrong with one call is its own reply; a request without a head ends the stream.
 */
export function joinedCalls(methods: ReadonlyMap<string, Method>, commit: GroupCommit): StreamMethod {
  return { kind: 'stream', open: (replies) => new JoinedCalls(methods, commit, replies) };
}

class JoinedCalls implements StreamHandler {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #commit: GroupCommit;
  readonly #replies: StreamReplies;
  /** Requests that came in one piece with the one that was the last for now. */
  readonly #waiting: Buffer[] = [];
  #beginning = false;
  #reading = true;
  #underWay = 0;
  #heldBytes = 0;
  #halfClosed = false;

  constructor(methods: ReadonlyMap<string, Method>, commit: GroupCommit, replies: StreamReplies) {
    this.#methods = methods;
    this.#commit = commit;
    this.#replies = replies;
  }

  message(bytes: Buffer): void {
    if (bytes.length < joinedHeadBytes || bytes.length < joinedHeadBytes + bytes.readUInt8(4))
      throw new EtcdError(GrpcCode.invalidArgument, 'grpc: a joined call ends within its head');
    this.#waiting.push(bytes);
    this.#begin();
  }

  halfClosed(): void {
    this.#halfClosed = true;
    this.#begin();
  }

  drained(): void {
    this.#begin();
  }

  closed(): void {
    // Calls under way are finished: their writes may be on disk already.
    this.#waiting.length = 0;
  }

  /** A reply that is to be sent after a commit. */
  held(reply: Buffer): void {
    this.#heldBytes += reply.length;
  }

  /** @param body what follows `frame`; @param reply what was held; undefined for an error */
  answer(frame: Buffer, body: Buffer | undefined, reply: Buffer | undefined): void {
    if (reply !== undefined) this.#heldBytes -= reply.length;
    this.#underWay--;
    this.#replies.send(frame, body);
    if (!this.#reading || this.#halfClosed) this.#begin();
  }

  #begin(): void {
    // A call may be answered while it is begun.
    if (this.#beginning) return;
    this.#beginning = true;
    while (this.#waiting.length > 0 && this.#hasRoom()) this.#run(this.#waiting.shift()!);
    this.#beginning = false;
    const reading = this.#waiting.length === 0 && this.#hasRoom();
    if (reading !== this.#reading) {
      this.#reading = reading;
      this.#replies.readMore(reading);
    }
    if (this.#halfClosed && this.#waiting.length === 0 && this.#underWay === 0) this.#replies.end();
  }

  #hasRoom(): boolean {
    return this.#underWay < mostUnderWay && this.#heldBytes + this.#replies.queuedBytes < mostReplyBytes;
  }

  #run(request: Buffer): void {
    this.#underWay++;
    const call = new JoinedCall(request.readUInt32BE(0), this.#commit, this);
    const head = joinedHeadBytes + request.readUInt8(4);
    const path = request.toString('latin1', joinedHeadBytes, head);
    const method = this.#methods.get(path);
    if (method?.kind === 'unary') call.run(method, request.subarray(head));
    else call.fail(new EtcdError(GrpcCode.unimplemented, `${path} cannot share a stream`));
  }
}

/** One of them: answered after the commit of what it wrote or saw. */
class JoinedCall implements HeldReply {
  readonly #number: number;
  readonly #commit: GroupCommit;
  readonly #calls: JoinedCalls;
  #reply: Buffer | undefined;
  #error: EtcdError | undefined;

  constructor(number: number, commit: GroupCommit, calls: JoinedCalls) {
    this.#number = number;
    this.#commit = commit;
    this.#calls = calls;
  }

  run(method: UnaryMethod, message: Buffer): void {
    let reply: Buffer | Promise<Buffer>;
    try {
      reply = method.invoke(message);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (reply instanceof Promise)
      reply.then(
        (bytes) => this.#hold(bytes),
        (error: unknown) => this.fail(error),
      );
    else this.#hold(reply);
  }

  fail(error: unknown): void {
    this.#error = toEtcdError(error);
    this.#commit.hold(this);
  }

  release(): void {
    if (this.#error === undefined) this.#send(GrpcCode.ok, this.#reply!.subarray(grpcPrefixBytes));
    else this.abandon(this.#error);
  }

  abandon(error: EtcdError): void {
    this.#send(error.code, Buffer.from(error.message));
  }

  #hold(reply: Buffer): void {
    this.#reply = reply;
    this.#calls.held(reply);
    this.#commit.hold(this);
  }

  #send(status: number, body: Buffer): void {
    const isLong = body.length > mostCopiedBytes;
    const frame = Buffer.allocUnsafe(grpcPrefixBytes + joinedHeadBytes + (isLong ? 0 : body.length));
    frame.writeUInt8(0, 0);
    frame.writeUInt32BE(joinedHeadBytes + body.length, 1);
    frame.writeUInt32BE(this.#number, grpcPrefixBytes);
    frame.writeUInt8(status, grpcPrefixBytes + 4);
    if (!isLong) body.copy(frame, grpcPrefixBytes + joinedHeadBytes);
    this.#calls.answer(frame, isLong ? body : undefined, this.#reply);
  }
}
