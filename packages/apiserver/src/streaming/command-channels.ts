import { parseJSON } from '@kubechain/apimachinery';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CommandStreams } from './remote-command.ts';
import { acceptWebSocketProtocol, isWebSocketRequest, offeredProtocols } from './web-socket-handshake.ts';
import { WebSocket } from './web-socket.ts';

/** The subprotocol of commands whose streams can be closed one by one. */
const streamCloseProtocol = 'v5.channel.k8s.io';

/** The first byte of a message: the stream that it is of, or that a stream is closed. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
const channelCount = 5;
const closeSignal = 255;

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly Width: number;
  readonly Height: number;
}

/** Where a client's messages go. */
export interface ChannelSinks {
  /** False when there is no room for more; `onceDrained` tells when there is. */
  stdin(chunk: Buffer): boolean;
  endStdin(): void;
  resize(size: TerminalSize): void;
  onceDrained(listener: () => void): void;
  /** The client is gone. */
  closed(): void;
}

/**
 * Whether a client wants its streams as channels of a WebSocket (wsstream IsWebSocketRequestWithStreamCloseProtocol).
 */
export function wantsChannels(request: IncomingMessage): boolean {
  return isWebSocketRequest(request) && offeredProtocols(request).includes(streamCloseProtocol);
}

/**
 * The streams of a command as channels of one WebSocket, as the server sees it (apiserver pkg/util/proxy/websocket.go
 * and httpstream/wsstream, 1.36). What the client sends before there is anybody to take it waits: the socket is paused
 * after the first such message.
 */
export class CommandChannels {
  readonly #socket: Duplex;
  readonly #streams: CommandStreams;
  readonly #connection: WebSocket;
  readonly #early: ((sinks: ChannelSinks) => void)[] = [];
  #sinks: ChannelSinks | undefined = undefined;
  #sizes = '';
  #closed = false;

  /** Answers the handshake; undefined when it was refused. */
  static accept(
    { head, request, socket }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
    streams: CommandStreams,
  ): CommandChannels | undefined {
    return acceptWebSocketProtocol(request, socket, [streamCloseProtocol]) === undefined
      ? undefined
      : new CommandChannels(socket, head, streams);
  }

  private constructor(socket: Duplex, head: Buffer, streams: CommandStreams) {
    this.#socket = socket;
    this.#streams = streams;
    this.#connection = new WebSocket(socket, {
      head,
      kind: 'binary',
      messages: {
        message: (payload) => {
          this.#message(payload);
        },
        closed: () => {
          this.#over();
        },
      },
    });
    // An empty message on the first channel that is written to says that the connection is there.
    this.#write(streams.stdout ? channels.stdout : streams.stderr ? channels.stderr : channels.error, Buffer.alloc(0));
  }

  /** Hands over what the client sends from now on, and has sent. */
  connect(sinks: ChannelSinks): void {
    this.#sinks = sinks;
    for (const deliver of this.#early.splice(0)) deliver(sinks);
    this.#socket.resume();
  }

  /** False when the client's buffer is full. */
  writeStdout(chunk: Uint8Array): boolean {
    return this.#write(channels.stdout, chunk);
  }
  /** The same. */
  writeStderr(chunk: Uint8Array): boolean {
    return this.#write(channels.stderr, chunk);
  }
  writeStatus(json: string): void {
    this.#write(channels.error, Buffer.from(json));
  }
  /** Also when nobody reads any more. */
  onceDrained(listener: () => void): void {
    if (this.#closed) {
      listener();
      return;
    }
    const once = (): void => {
      this.#socket.off('drain', once);
      this.#socket.off('close', once);
      listener();
    };
    this.#socket.once('drain', once);
    this.#socket.once('close', once);
  }

  /** Says goodbye. Idempotent. */
  end(): void {
    this.#connection.end();
  }

  #write(channel: number, chunk: Uint8Array): boolean {
    return this.#connection.write(Buffer.concat([Buffer.of(channel), chunk]));
  }

  #message(payload: Buffer): void {
    const [channel] = payload;
    const data = payload.subarray(1);
    if (channel === closeSignal) {
      if (data.length !== 1 || (data[0] as number) >= channelCount) this.#connection.end();
      else if (data[0] === channels.stdin)
        this.#deliver((sinks) => {
          sinks.endStdin();
        });
    } else if (channel === channels.stdin && this.#streams.stdin)
      this.#deliver((sinks) => {
        this.#stdin(sinks, data);
      });
    else if (channel === channels.resize && this.#streams.tty) this.#resize(data.toString());
  }

  #stdin(sinks: ChannelSinks, data: Buffer): void {
    if (sinks.stdin(data)) return;
    this.#socket.pause();
    sinks.onceDrained(() => {
      this.#socket.resume();
    });
  }

  /** Sizes are JSON objects one after the other, which messages may cut. */
  #resize(text: string): void {
    this.#sizes += text;
    for (let end = this.#sizes.indexOf('}'); end >= 0; end = this.#sizes.indexOf('}')) {
      const size = sizeOf(this.#sizes.slice(0, end + 1));
      this.#sizes = this.#sizes.slice(end + 1);
      if (size !== undefined)
        this.#deliver((sinks) => {
          sinks.resize(size);
        });
    }
  }

  #deliver(deliver: (sinks: ChannelSinks) => void): void {
    if (this.#sinks !== undefined) {
      deliver(this.#sinks);
      return;
    }
    this.#early.push(deliver);
    this.#socket.pause();
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#deliver((sinks) => {
      sinks.closed();
    });
  }
}

function sizeOf(text: string): TerminalSize | undefined {
  try {
    const parsed = parseJSON(text) as Readonly<Record<string, unknown>>;
    const field = (name: string): number => {
      const value = Object.entries(parsed).find(([key]) => key.toLowerCase() === name)?.[1];
      return typeof value === 'number' ? value : 0;
    };
    return { Width: field('width'), Height: field('height') };
  } catch {
    return undefined;
  }
}
