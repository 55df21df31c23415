import { encodeJSON, encodingSchema } from '@kubechain/apimachinery';
import { watchFrame } from '@kubechain/shared-storage';
import type { WatchEvent } from '@kubechain/shared-storage';

type ObjectWatchEvent = Extract<WatchEvent, { readonly record: unknown }>;
import type { IncludeObject } from '../parameters/table-options.ts';
import type { RequestScope } from '../request-scope.ts';
import { encodeTable } from '../response/encode-table.ts';
import { encodePartialMetadata, encodeResult } from '../response/transform.ts';
import type { MetaVersion } from '../response/transform.ts';
import { bookmark, watchErrorStatus } from './event-objects.ts';
import type { EventEncoder, EventEncoderOptions } from './event-encoder.ts';
import { WatchForm, type FormFrames } from './form-frames.ts';

/** Records' own bytes, framed once for all watchers. */
export class SharedFrames implements EventEncoder {
  readonly #scope: RequestScope;
  constructor(scope: RequestScope) {
    this.#scope = scope;
  }

  frame(event: WatchEvent): Uint8Array {
    switch (event.type) {
      case 'BOOKMARK':
        return bookmarkFrame(this.#scope, event);
      case 'ERROR':
        return errorFrame(this.#scope, event.error);
      default:
        return watchFrame(event);
    }
  }
}

const convertedForm = new WatchForm();

/** Records in another version than the one that is served, or that are not to go out as they are; made once for all. */
export class ConvertedFrames implements EventEncoder {
  readonly #scope: RequestScope;
  readonly #shared: FormFrames;

  constructor(scope: RequestScope) {
    this.#scope = scope;
    this.#shared = convertedForm.of(scope);
  }

  made(event: WatchEvent): Uint8Array | Promise<Uint8Array> | undefined {
    return this.#shared.made(event);
  }

  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array> {
    switch (event.type) {
      case 'BOOKMARK':
        return bookmarkFrame(this.#scope, event);
      case 'ERROR':
        return errorFrame(this.#scope, event.error);
      default:
        return this.#shared.once(event, () => this.#make(event));
    }
  }

  #make({ record, type }: ObjectWatchEvent): Uint8Array | Promise<Uint8Array> {
    const json = encodeResult(this.#scope, record);
    return json instanceof Promise ? json.then((bytes) => frameOf(type, bytes)) : frameOf(type, json);
  }
}

/** Objects reduced to their metadata. */
export class MetadataFrames implements EventEncoder {
  readonly #scope: RequestScope;
  readonly #version: MetaVersion;
  constructor(scope: RequestScope, version: MetaVersion) {
    this.#scope = scope;
    this.#version = version;
  }

  frame(event: WatchEvent): Uint8Array {
    switch (event.type) {
      case 'BOOKMARK':
        return frameOf('BOOKMARK', encodePartialMetadata(this.#scope, bookmark(this.#scope, event), this.#version));
      case 'ERROR':
        return errorFrame(this.#scope, event.error);
      default:
        return frameOf(event.type, encodePartialMetadata(this.#scope, event.record, this.#version));
    }
  }
}

/** One-row tables; only the first has column definitions. */
export class TableFrames implements EventEncoder {
  readonly #scope: RequestScope;
  readonly #version: MetaVersion;
  readonly #includeObject: IncludeObject;
  #headers = true;

  constructor(scope: RequestScope, options: EventEncoderOptions) {
    this.#scope = scope;
    this.#version = options.output.convert?.version as MetaVersion;
    this.#includeObject = options.includeObject;
  }

  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array> {
    if (event.type === 'ERROR') return errorFrame(this.#scope, event.error);
    const headers = this.#headers;
    this.#headers = this.#scope.storage.table?.columnsInEvents === true;
    const result = event.type === 'BOOKMARK' ? bookmark(this.#scope, event) : event.record;
    // The annotation that ends the initial events must reach clients that asked for no objects, too.
    const includeObject = event.type === 'BOOKMARK' && event.initialEventsEnd ? 'Metadata' : this.#includeObject;
    return encodeTable(this.#scope, {
      records: [result],
      includeObject,
      version: this.#version,
      metadata: undefined,
      headers,
    }).then((json) => frameOf(event.type, json));
  }
}

/**
 * What has no omitempty stands in bookmarks as well: the reference encodes an object of the kind that has nothing set.
 */
function bookmarkFrame(scope: RequestScope, event: Extract<WatchEvent, { type: 'BOOKMARK' }>): Buffer {
  return frameOf('BOOKMARK', encodeJSON(bookmark(scope, event), encodingSchema(scope.kindInfo)));
}

/** A frame that ends a watch with an error. */
function errorFrame(scope: RequestScope, error: unknown): Buffer {
  return frameOf('ERROR', JSON.stringify(watchErrorStatus(scope, error)));
}

function frameOf(type: WatchEvent['type'], object: Uint8Array | string): Buffer {
  const head = `{"type":"${type}","object":`;
  if (typeof object === 'string') return Buffer.from(`${head}${object}}\n`);
  const frame = Buffer.allocUnsafe(head.length + object.length + 2);
  frame.write(head, 0, 'latin1');
  frame.set(object, head.length);
  frame[frame.length - 2] = 0x7d;
  frame[frame.length - 1] = 0x0a;
  return frame;
}
