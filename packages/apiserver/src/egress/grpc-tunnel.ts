import { randomInt } from 'node:crypto';
import type { ClientHttp2Stream } from 'node:http2';
import { Duplex } from 'node:stream';
import { GRPCMessages } from '@kubechain/apimachinery/wire';
import { Endpoint, patientKeepalive, type EtcdError } from '@kubechain/shared-storage/etcd';
import { EgressError } from './egress-error.ts';
import { decodePacket, encodePacket, type ReceivedPacket } from './tunnel-packet.ts';

/** How long the server may take to answer a dial, in milliseconds (konnectivity-client dialTimeout). */
const dialTimeoutMs = 30_000;
/** Largest piece that is sent in one packet (konnectivity-client, its read buffers). */
const maxPieceBytes = 32 * 1024;

/**
 * Asks a konnectivity server at a unix socket for a connection to `address`, over a gRPC connection that is used for
 * nothing else (konnectivity-client CreateSingleUseGrpcTunnel, v0.34).
 * @throws EgressError what the server says, `dial timeout, …`
 */
export async function dialKonnectivity(path: string, address: string, signal: AbortSignal): Promise<Duplex> {
  const endpoint = new Endpoint(`unix:${path}`, {
    connectTimeoutMs: dialTimeoutMs,
    ...patientKeepalive,
    peer: 'konnectivity server',
  });
  const opened: { tunnel?: GrpcTunnel } = {};
  const { stream } = await endpoint
    .duplex('/ProxyService/Proxy', (error) => opened.tunnel?.ended(error))
    .catch((error: unknown) => {
      endpoint.close();
      throw error;
    });
  const tunnel = new GrpcTunnel(stream, () => {
    endpoint.close();
  });
  opened.tunnel = tunnel;
  await tunnel.dial(address, signal);
  return tunnel;
}

/**
 * One connection behind a konnectivity server. The protocol has no word for a half that has ended: an end closes both
 * directions, once what was written is sent.
 */
class GrpcTunnel extends Duplex {
  readonly #stream: ClientHttp2Stream;
  readonly #close: () => void;
  #connection: number | bigint = 0;
  #dialled: ((error: Error | undefined) => void) | undefined;

  constructor(stream: ClientHttp2Stream, close: () => void) {
    super();
    this.#stream = stream;
    this.#close = close;
    const messages = new GRPCMessages(refuseCompressed);
    stream.on('data', (chunk: Buffer) => {
      try {
        for (const message of messages.push(chunk)) this.#received(decodePacket(message));
      } catch (error) {
        this.destroy(error as Error);
      }
    });
  }

  dial(address: string, signal: AbortSignal): Promise<void> {
    const random = randomInt(2 ** 47);
    return new Promise((resolve, reject) => {
      const settle = (error: Error | undefined): void => {
        this.#dialled = undefined;
        clearTimeout(timeout);
        signal.removeEventListener('abort', abort);
        if (error === undefined) resolve();
        else {
          this.destroy();
          reject(error);
        }
      };
      const cancel = (error: Error): void => {
        this.#stream.write(encodePacket({ kind: 'cancel', random }));
        settle(error);
      };
      const abort = (): void => {
        cancel(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      const timeout = setTimeout(() => {
        cancel(new EgressError('dial timeout, backstop'));
      }, dialTimeoutMs);
      this.#dialled = settle;
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      else this.#stream.write(encodePacket({ kind: 'dial', address, random }));
    });
  }

  /** The call is over, whoever ended it. */
  ended(error: EtcdError | undefined): void {
    if (this.#dialled !== undefined) this.#dialled(new EgressError('tunnel closed', { cause: error }));
    else if (error === undefined) this.push(null);
    else this.destroy(new EgressError(error.message, { cause: error }));
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    let at = 0;
    while (chunk.length - at > maxPieceBytes) {
      this.#send(chunk.subarray(at, at + maxPieceBytes));
      at += maxPieceBytes;
    }
    this.#send(chunk.subarray(at), done);
  }

  override _final(done: () => void): void {
    this.#stream.write(encodePacket({ kind: 'close', connection: this.#connection }), () => {
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#stream.destroyed) this.#close();
    else {
      if (this.#connection !== 0 && !this.writableFinished)
        this.#stream.write(encodePacket({ kind: 'close', connection: this.#connection }));
      this.#stream.end(() => {
        this.#close();
      });
    }
    done(error);
  }

  #send(data: Buffer, done?: (error?: Error | null) => void): void {
    this.#stream.write(encodePacket({ kind: 'data', connection: this.#connection, data }), done);
  }

  #received(packet: ReceivedPacket): void {
    switch (packet.kind) {
      case 'dialled':
        this.#connection = packet.connection;
        this.#dialled?.(packet.error === '' ? undefined : new EgressError(packet.error));
        return;
      case 'data':
        if (packet.error !== '') this.destroy(new EgressError(packet.error));
        else if (!this.push(packet.data)) this.#stream.pause();
        return;
      case 'closed':
        if (packet.error === '') this.push(null);
        else this.destroy(new EgressError(packet.error));
        return;
      case 'other':
        return;
      default:
        packet satisfies never;
    }
  }
}

/** Compression was not asked for. */
function refuseCompressed(compressed: boolean): void {
  if (compressed) throw new TypeError('the proxy sent a compressed message');
}
