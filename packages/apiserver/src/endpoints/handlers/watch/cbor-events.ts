import { CBORWriter, parseJSONValue } from '@kubechain/apimachinery';
import type { Schema } from '@kubechain/apimachinery';
import type { WatchEvent } from '@kubechain/shared-storage';
import type { EventEncoder } from './event-encoder.ts';

/** Frames of `application/cbor-seq`, made of those in JSON: one item each, as an event, in which the object is another. */
export class CBORFrames implements EventEncoder {
  readonly #json: EventEncoder;
  readonly #schema: Schema | undefined;

  /** `schema`: of the objects, where they are sent in their own form. */
  constructor(json: EventEncoder, schema: Schema | undefined) {
    this.#json = json;
    this.#schema = schema;
  }

  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array> {
    const json = this.#json.frame(event);
    return json instanceof Promise ? json.then((bytes) => this.#frameOf(event, bytes)) : this.#frameOf(event, json);
  }

  #frameOf({ type }: WatchEvent, json: Uint8Array): Uint8Array {
    const { object } = parseJSONValue(json).value as { readonly object: unknown };
    const writer = new CBORWriter();
    writer.prefix();
    writer.map(2);
    writer.text('type');
    writer.text(type);
    writer.text('object');
    writer.prefix();
    writer.value(object, type === 'ERROR' ? undefined : this.#schema);
    return writer.finish();
  }
}
