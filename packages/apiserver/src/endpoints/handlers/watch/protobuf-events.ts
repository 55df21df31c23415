import { encodeWatchFrame } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { WatchEvent } from '@kubechain/shared-storage';
import type { RequestScope } from '../request-scope.ts';
import { encodeProtobufMetadata, encodeProtobufObject, servedObject } from '../response/encode-protobuf.ts';
import type { MetaVersion } from '../response/transform.ts';
import { bookmark, watchErrorStatus } from './event-objects.ts';
import type { EventEncoder, EventEncoderOptions } from './event-encoder.ts';
import { WatchForm, type FormFrames } from './form-frames.ts';

type ObjectEvent = Extract<WatchEvent, { readonly record: unknown }>;

const protobufForm = new WatchForm();

/**
 * Frames of `application/vnd.kubernetes.protobuf;stream=watch`. An event is encoded once for all watchers of the same
 * version that get it; of a large object in two steps, between which others are served.
 */
export class ProtobufFrames implements EventEncoder {
  readonly #scope: RequestScope;
  readonly #turns: EventEncoderOptions['sharedTurns'];
  readonly #shared: FormFrames;

  constructor(scope: RequestScope, turns: EventEncoderOptions['sharedTurns']) {
    this.#scope = scope;
    this.#turns = turns;
    this.#shared = protobufForm.of(scope);
  }

  made(event: WatchEvent): Uint8Array | Promise<Uint8Array> | undefined {
    return this.#shared.made(event);
  }

  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array> {
    switch (event.type) {
      case 'BOOKMARK':
        return encodeWatchFrame('BOOKMARK', encodeProtobufObject(bookmark(this.#scope, event), this.#scope));
      case 'ERROR':
        return protobufErrorFrame(this.#scope, event.error);
      default:
        return this.#shared.once(event, () => this.#encode(event));
    }
  }

  #encode(event: ObjectEvent): Uint8Array | Promise<Uint8Array> {
    const object = servedObject(this.#scope, event.record);
    if (object instanceof Promise) return object.then((served) => this.#write(event, served));
    const turn = this.#turns.before(event.record.json);
    return turn === undefined ? this.#write(event, object) : turn.then(() => this.#write(event, object));
  }

  #write(event: ObjectEvent, object: KubeObject): Uint8Array {
    return encodeWatchFrame(event.type, encodeProtobufObject(object, this.#scope));
  }
}

/** The same with objects reduced to their metadata. */
export class ProtobufMetadataFrames implements EventEncoder {
  readonly #scope: RequestScope;
  readonly #version: MetaVersion;

  constructor(scope: RequestScope, version: MetaVersion) {
    this.#scope = scope;
    this.#version = version;
  }

  frame(event: WatchEvent): Buffer {
    if (event.type === 'ERROR') return protobufErrorFrame(this.#scope, event.error);
    const result = event.type === 'BOOKMARK' ? bookmark(this.#scope, event) : event.record;
    return encodeWatchFrame(event.type, encodeProtobufMetadata(this.#scope, result, this.#version));
  }
}

function protobufErrorFrame(scope: RequestScope, error: unknown): Buffer {
  return encodeWatchFrame('ERROR', encodeProtobufObject(watchErrorStatus(scope, error) as KubeObject));
}
