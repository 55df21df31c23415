import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '@kubechain/apimachinery';
import type { Handler } from '../../../request/filter.ts';
import { Logger } from '../../../logging/logger.ts';
import { Arrivals } from '../../../request/arrivals.ts';
import { sharerOf } from '../../../request/sharer.ts';
import { readCredit, readFields } from './fields.ts';
import { endFlag, FrameType, LinkProtocolError, linkProtocol } from './frames.ts';
import { FrameReader, type FrameHandler } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import { ReceivedBlocks } from './header-blocks.ts';
import { LinkRequest, type RequestOwner } from './link-request.ts';
import { LinkResponse, type ResponseOwner } from './link-response.ts';

const log = new Logger('link');

/** With more than this unsent, answers are asked to wait: the process in front has stopped reading. */
const congestedBytes = 8 * 1024 * 1024;

/** The links that processes in front have opened on a delegate listener. */
export class LinkListener {
  readonly #handle: Handler;
  readonly #arrivals = new Arrivals<string>();
  readonly #links = new Set<ServerLink>();

  constructor(handle: Handler) {
    this.#handle = handle;
  }

  /** Links that are open. */
  get size(): number {
    return this.#links.size;
  }

  /** Takes an upgrade that asks for a link; false when it asks for something else. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (request.headers.upgrade !== linkProtocol) return false;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n\r\n`);
    const connection = socket as Socket;
    connection.setNoDelay(true);
    connection.setTimeout(0);
    return this.open(connection, head);
  }

  /** A link over a connection that both sides know to be one; `head` has come over it already. */
  open(socket: Socket, head: Buffer): true {
    const link = new ServerLink(socket, this.#handle, this.#arrivals);
    this.#links.add(link);
    socket.once('close', () => {
      this.#links.delete(link);
      link.lost();
    });
    if (head.length > 0) link.received(head);
    return true;
  }

  /** Tells the processes in front to send what is new elsewhere; what is being answered or on its way goes on. */
  stopAccepting(): void {
    for (const link of this.#links) link.goAway();
  }

  /** Resolves when the processes in front have ended the links that there are: they have all answers then. */
  async ended(): Promise<void> {
    await Promise.all([...this.#links].map((link) => link.ended()));
  }

  destroy(): void {
    for (const link of this.#links) link.destroy();
  }
}

/** What is open between the two processes about one request. */
interface ServerExchange {
  readonly request: LinkRequest;
  readonly response: LinkResponse;
}

/** One link, seen from the process that answers. */
class ServerLink implements FrameHandler, RequestOwner, ResponseOwner {
  readonly writer: FrameWriter;
  readonly #socket: Socket;
  readonly #handle: Handler;
  /** By users: each of theirs comes over the one link. */
  readonly #arrivals: Arrivals<string>;
  readonly #reader = new FrameReader(this);
  readonly #blocks = new ReceivedBlocks();
  readonly #exchanges = new Map<number, ServerExchange>();
  readonly #held = new Set<LinkResponse>();
  #leaving = false;

  constructor(socket: Socket, handle: Handler, arrivals: Arrivals<string>) {
    this.#socket = socket;
    this.#handle = handle;
    this.#arrivals = arrivals;
    this.writer = new FrameWriter(socket);
    socket.on('data', (chunk: Buffer) => {
      this.received(chunk);
    });
    socket.on('drain', () => {
      this.#release();
    });
    // The process in front has gone, or has all its answers.
    socket.once('end', () => {
      socket.destroy();
    });
    socket.on('error', (error) => {
      if (log.enabled(4)) log.info('Link broken', { err: messageOf(error) }, 4);
    });
  }

  get congested(): boolean {
    return this.writer.unsentBytes > congestedBytes;
  }

  received(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof LinkProtocolError)) throw error;
      log.warning('Link closed: what came over it cannot be read', { err: error.message });
      this.#socket.destroy();
    }
  }

  frame(type: number, flags: number, id: number, payload: Buffer): void {
    switch (type) {
      case FrameType.open:
        this.#open(id, flags, payload);
        return;
      case FrameType.block:
        this.#blocks.define(id, readFields(payload));
        return;
      case FrameType.credit:
        this.#exchanges.get(id)?.response.credited(readCredit(payload));
        return;
      case FrameType.reset:
        this.#exchanges.get(id)?.response.abandoned();
        return;
      default:
        throw new LinkProtocolError(`a frame of type ${type} goes the other way`);
    }
  }

  data(id: number, flags: number, piece: Buffer, last: boolean): void {
    const request = this.#exchanges.get(id)?.request;
    // Of a request that was answered before its end.
    if (request === undefined) return;
    if (piece.length > 0) request.received(piece);
    if (last && (flags & endFlag) !== 0) request.ended();
  }

  credit(id: number, bytes: number): void {
    this.writer.number(FrameType.credit, id, bytes);
  }

  waitForDrain(response: LinkResponse): void {
    this.#held.add(response);
  }

  closed(id: number): void {
    this.#exchanges.delete(id);
  }

  /** The other side ends the connection when it has read this, and all answers to what it had sent before. */
  goAway(): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.writer.frame(FrameType.goaway, { id: 0 });
  }

  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once('close', () => {
        resolve();
      });
    });
  }

  destroy(): void {
    this.writer.flush();
    this.#socket.destroy();
  }

  /** The connection has closed, and with it everything that was open. */
  lost(): void {
    for (const { response } of this.#exchanges.values()) response.abandoned();
    this.#held.clear();
  }

  #open(id: number, flags: number, payload: Buffer): void {
    if (payload.length < 4 || this.#exchanges.has(id)) throw new LinkProtocolError(`request ${id} cannot be opened`);
    const request = new LinkRequest({
      id,
      owner: this,
      socket: this.#socket,
      block: this.#blocks.get(payload.readUInt32BE(0)),
      fields: readFields(payload, 4),
      hasBody: (flags & endFlag) === 0,
    });
    const response = new LinkResponse(request, id, this);
    this.#exchanges.set(id, { request, response });
    const { forwardedIdentity } = request;
    this.#arrivals.take(forwardedIdentity === undefined ? '' : sharerOf(forwardedIdentity.user), () => {
      if (!response.destroyed)
        this.#handle(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
  }

  #release(): void {
    // Who is held again goes behind those whose turn has not come.
    for (const response of this.#held) {
      if (this.congested) return;
      this.#held.delete(response);
      response.drained();
    }
  }
}
