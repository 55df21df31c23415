import { isWireError, WireReader, WireWriter } from '@kubechain/apimachinery/wire';
import { EgressError } from './egress-error.ts';

/** What is sent to a konnectivity server; numbers of connections and requests are its own or ours. */
export type SentPacket =
  | { readonly kind: 'dial'; readonly address: string; readonly random: number }
  | { readonly kind: 'data'; readonly connection: number | bigint; readonly data: Uint8Array }
  | { readonly kind: 'close'; readonly connection: number | bigint }
  | { readonly kind: 'cancel'; readonly random: number };

/** What comes back; `error` is empty where there is none. */
export type ReceivedPacket =
  | { readonly kind: 'dialled'; readonly error: string; readonly connection: number | bigint }
  | { readonly kind: 'data'; readonly data: Buffer; readonly error: string }
  | { readonly kind: 'closed'; readonly error: string }
  | { readonly kind: 'other' };

/**
 * A packet as one gRPC message. Source: konnectivity-client proto/client/client.proto, v0.34: tags are of Packet's
 * `type` (1) and payloads (2 to 8), and of their fields.
 */
export function encodePacket(packet: SentPacket): Buffer {
  const writer = new WireWriter(packet.kind === 'data' ? packet.data.length + 64 : 256);
  // The writer goes from the end to the beginning.
  const before = writer.length;
  switch (packet.kind) {
    case 'dial':
      writer.integerField(0x18, packet.random);
      writer.textField(0x12, packet.address);
      writer.textField(0x0a, 'tcp');
      writer.close(0x12, before);
      writer.integerField(0x08, 0);
      break;
    case 'data':
      writer.bytesField(0x1a, packet.data);
      writer.integerField(0x08, packet.connection);
      writer.close(0x22, before);
      writer.integerField(0x08, 4);
      break;
    case 'close':
      writer.integerField(0x08, packet.connection);
      writer.close(0x2a, before);
      writer.integerField(0x08, 2);
      break;
    case 'cancel':
      writer.integerField(0x08, packet.random);
      writer.close(0x3a, before);
      writer.integerField(0x08, 5);
      break;
    default:
      packet satisfies never;
  }
  return writer.finishFrame();
}

/** @throws EgressError where the bytes are no packet */
export function decodePacket(message: Buffer): ReceivedPacket {
  try {
    const reader = new WireReader(message);
    let packet: ReceivedPacket = { kind: 'other' };
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === 0x1a) packet = { kind: 'dialled', ...payload(reader.bytes(), { error: 0x0a, connection: 0x10 }) };
      else if (tag === 0x22) packet = { kind: 'data', ...payload(reader.bytes(), { error: 0x12, data: 0x1a }) };
      else if (tag === 0x2a || tag === 0x32)
        packet = { kind: 'closed', ...payload(reader.bytes(), tag === 0x32 ? { error: 0x0a } : {}) };
      else reader.skip(tag);
    }
    return packet;
  } catch (error) {
    if (!isWireError(error)) throw error;
    throw new EgressError(`the konnectivity server sent a malformed message: ${error.message}`, { cause: error });
  }
}

interface PayloadTags {
  readonly error?: number;
  readonly connection?: number;
  readonly data?: number;
}

function payload(
  bytes: Buffer,
  tags: PayloadTags,
): { readonly error: string; readonly connection: number | bigint; readonly data: Buffer } {
  const reader = new WireReader(bytes);
  let error = '';
  let connection: number | bigint = 0;
  let data: Buffer = Buffer.alloc(0);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === tags.error) error = reader.text();
    else if (tag === tags.connection) connection = reader.int64();
    else if (tag === tags.data) data = reader.bytes();
    else reader.skip(tag);
  }
  return { error, connection, data };
}
