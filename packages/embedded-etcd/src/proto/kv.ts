import type { WireReader, WireWriter } from '@kubechain/apimachinery/wire';
import type { MessageType } from './message.ts';
import { integer, message, nested } from './message.ts';

/** `mvccpb.KeyValue`: one version of one key. Keys are strings of the characters 0 to 255. */
export interface KeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  readonly value: Uint8Array;
  readonly lease: number;
}

const NO_VALUE = new Uint8Array(0);

/**
 * The codec of KeyValue, written out because a list encodes thousands of them:
 * field numbers are key 1, create_revision 2, mod_revision 3, version 4, value 5, lease 6.
 */
export const KeyValue: MessageType<KeyValue> = {
  read(reader: WireReader): KeyValue {
    let key = '';
    let createRevision = 0;
    let modRevision = 0;
    let version = 0;
    let value: Uint8Array = NO_VALUE;
    let lease = 0;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      switch (tag) {
        case 10:
          key = reader.latin1();
          break;
        case 16:
          createRevision = reader.integer();
          break;
        case 24:
          modRevision = reader.integer();
          break;
        case 32:
          version = reader.integer();
          break;
        case 42:
          value = reader.bytes();
          break;
        case 48:
          lease = reader.integer();
          break;
        default:
          reader.skip(tag);
      }
    }
    return { key, createRevision, modRevision, version, value, lease };
  },
  write(writer: WireWriter, kv: KeyValue): void {
    if (kv.lease !== 0) writer.integerField(48, kv.lease);
    if (kv.value.length !== 0) writer.bytesField(42, kv.value);
    if (kv.version !== 0) writer.integerField(32, kv.version);
    if (kv.modRevision !== 0) writer.integerField(24, kv.modRevision);
    if (kv.createRevision !== 0) writer.integerField(16, kv.createRevision);
    writer.latin1Field(10, kv.key);
  },
};

/** `mvccpb.Event.EventType`. */
export const EventType = { put: 0, delete: 1 } as const;

/** `mvccpb.Event`. */
export interface EventMessage {
  readonly type: number;
  readonly kv: KeyValue | undefined;
  readonly prevKv: KeyValue | undefined;
}

/** The codec of Event; watch replies embed events encoded once for all watchers. */
export const EventMessage: MessageType<EventMessage> = message<EventMessage>({
  type: integer(1),
  kv: nested(2, () => KeyValue),
  prevKv: nested(3, () => KeyValue),
});
