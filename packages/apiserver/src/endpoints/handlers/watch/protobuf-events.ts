import { encodeWatchFrame } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { WatchEvent } from '@kubechain/shared-storage';
import type { RequestScope } from '../request-scope.ts';
import { encodeProtobufMetadata, encodeProtobufObject, encodeProtobufResult } from '../response/encode-protobuf.ts';
import type { MetaVersion } from '../response/transform.ts';
import { bookmark, watchErrorStatus } from './event-objects.ts';
import type { EventEncoder } from './event-encoder.ts';

type ObjectEvent = Extract<WatchEvent, { readonly record: unknown }>;

/**
 * Frames of `application/vnd.kubernetes.protobuf;stream=watch`. An event is encoded once for all watchers of the same
 * version that get it; the frame lives as long as the event.
 */
export class ProtobufFrames implements EventEncoder {
  readonly #scope: RequestScope;
  readonly #shared: WeakMap<object, Buffer>;

  constructor(scope: RequestScope) {
    this.#scope = scope;
    let shared = framesOf.get(scope);
    if (shared === undefined) framesOf.set(scope, (shared = new WeakMap()));
    this.#shared = shared;
  }

  frame(event: WatchEvent): Buffer | Promise<Buffer> {
    switch (event.type) {
      case 'BOOKMARK':
        return encodeWatchFrame('BOOKMARK', encodeProtobufObject(bookmark(this.#scope, event), this.#scope));
      case 'ERROR':
        return protobufErrorFrame(this.#scope, event.error);
      default:
        return this.#shared.get(event) ?? this.#encode(event);
    }
  }

  #encode(event: ObjectEvent): Buffer | Promise<Buffer> {
    const object = encodeProtobufResult(this.#scope, event.record);
    return object instanceof Promise ? object.then((bytes) => this.#share(event, bytes)) : this.#share(event, object);
  }

  #share(event: ObjectEvent, object: Buffer): Buffer {
    const frame = encodeWatchFrame(event.type, object);
    this.#shared.set(event, frame);
    return frame;
  }
}

const framesOf = new WeakMap<RequestScope, WeakMap<object, Buffer>>();

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
