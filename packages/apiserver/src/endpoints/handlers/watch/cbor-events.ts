import { CBORWriter, parseJSONValue } from '@kubechain/apimachinery';
import type { Schema } from '@kubechain/apimachinery';
import type { WatchEvent } from '@kubechain/shared-storage';
import type { EventEncoder, EventEncoderOptions } from './event-encoder.ts';
import type { FormFrames } from './form-frames.ts';

/** What CBOR frames are made of. */
export interface CBORFramesOptions {
  readonly json: EventEncoder;
  /** Of the objects, where they are sent in their own form. */
  readonly schema: Schema | undefined;
  /** Taken between the two steps of a large object: the server's, where frames are shared. */
  readonly turns: EventEncoderOptions['turns'];
  /** Where frames are kept that depend on the event alone. Absent: they do not. */
  readonly shared?: FormFrames | undefined;
}

/**
 * Frames of `application/cbor-seq`, made of those in JSON: one item each, as an event, in which the object is another.
 * Of a large object in two steps, between which others are served.
 */
export class CBORFrames implements EventEncoder {
  readonly #options: CBORFramesOptions;

  constructor(options: CBORFramesOptions) {
    this.#options = options;
  }

  made(event: WatchEvent): Uint8Array | Promise<Uint8Array> | undefined {
    return this.#options.shared?.made(event);
  }

  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array> {
    const make = (): Uint8Array | Promise<Uint8Array> => this.#make(event);
    return this.#options.shared?.once(event, make) ?? make();
  }

  #make(event: WatchEvent): Uint8Array | Promise<Uint8Array> {
    const json = this.#options.json.frame(event);
    return json instanceof Promise ? json.then((bytes) => this.#read(event, bytes)) : this.#read(event, json);
  }

  #read(event: WatchEvent, json: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const { object } = parseJSONValue(json).value as { readonly object: unknown };
    const turn = this.#options.turns.before(json);
    return turn === undefined ? this.#write(event, object) : turn.then(() => this.#write(event, object));
  }

  #write({ type }: WatchEvent, object: unknown): Uint8Array {
    const writer = new CBORWriter();
    writer.prefix();
    writer.map(2);
    writer.text('type');
    writer.text(type);
    writer.text('object');
    writer.prefix();
    writer.value(object, type === 'ERROR' ? undefined : this.#options.schema);
    return writer.finish();
  }
}
