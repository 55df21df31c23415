import type { KubeObject, Status } from '@kubechain/apimachinery';
import { watchFrame } from '@kubechain/shared-storage';
import type { WatchEvent } from '@kubechain/shared-storage';
import { errorToStatus } from '../../responses/error-to-status.ts';
import { interpretStorageError } from '../../../registry/storage-errors.ts';
import { representationNotAcceptable } from '../../negotiation/errors.ts';
import type { OutputMediaType } from '../../negotiation/negotiate.ts';
import type { IncludeObject } from '../parameters/table-options.ts';
import type { RequestScope } from '../request-scope.ts';
import { encodeTable } from '../response/encode-table.ts';
import { encodePartialMetadata, encodeResult } from '../response/transform.ts';
import type { MetaVersion } from '../response/transform.ts';

/** Makes the frames of one watch. `frame` is synchronous unless a conversion has to wait. */
export interface EventEncoder {
  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array>;
}

export interface EventEncoderOptions {
  readonly output: OutputMediaType;
  readonly includeObject: IncludeObject;
}

/** `{"type":…,"object":…}` and a newline for each event, in JSON. */
export function jsonEventEncoder(scope: RequestScope, options: EventEncoderOptions): EventEncoder {
  const { convert } = options.output;
  if (convert === undefined) return scope.servesRecords ? new SharedFrames(scope) : new ConvertedFrames(scope);
  switch (convert.kind) {
    case 'Table': return new TableFrames(scope, options);
    case 'PartialObjectMetadata': return new MetadataFrames(scope, convert.version as MetaVersion);
    default: return { frame: () => { throw representationNotAcceptable(`events cannot be represented as ${convert.kind}`); } };
  }
}

/** Records' own bytes, framed once for all watchers. */
class SharedFrames implements EventEncoder {
  readonly #scope: RequestScope;
  constructor(scope: RequestScope) { this.#scope = scope; }

  frame(event: WatchEvent): Uint8Array {
    switch (event.type) {
      case 'BOOKMARK': return frameOf('BOOKMARK', JSON.stringify(bookmark(this.#scope, event)));
      case 'ERROR': return errorFrame(this.#scope, event.error);
      default: return watchFrame(event);
    }
  }
}

class ConvertedFrames implements EventEncoder {
  readonly #scope: RequestScope;
  constructor(scope: RequestScope) { this.#scope = scope; }

  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array> {
    switch (event.type) {
      case 'BOOKMARK': return frameOf('BOOKMARK', JSON.stringify(bookmark(this.#scope, event)));
      case 'ERROR': return errorFrame(this.#scope, event.error);
      default: {
        const json = encodeResult(this.#scope, event.record);
        return json instanceof Promise ? json.then((bytes) => frameOf(event.type, bytes)) : frameOf(event.type, json);
      }
    }
  }
}

class MetadataFrames implements EventEncoder {
  readonly #scope: RequestScope;
  readonly #version: MetaVersion;
  constructor(scope: RequestScope, version: MetaVersion) {
    this.#scope = scope;
    this.#version = version;
  }

  frame(event: WatchEvent): Uint8Array {
    switch (event.type) {
      case 'BOOKMARK': return frameOf('BOOKMARK', encodePartialMetadata(this.#scope, bookmark(this.#scope, event), this.#version));
      case 'ERROR': return errorFrame(this.#scope, event.error);
      default: return frameOf(event.type, encodePartialMetadata(this.#scope, event.record, this.#version));
    }
  }
}

/** One-row tables; only the first has column definitions. */
class TableFrames implements EventEncoder {
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
    this.#headers = false;
    const result = event.type === 'BOOKMARK' ? bookmark(this.#scope, event) : event.record;
    // The annotation that ends the initial events must reach clients that asked for no objects, too.
    const includeObject = event.type === 'BOOKMARK' && event.initialEventsEnd ? 'Metadata' : this.#includeObject;
    return encodeTable(this.#scope, { records: [result], includeObject, version: this.#version, metadata: undefined, headers }).then((json) => frameOf(event.type, json));
  }
}

/** An object that has nothing but a resourceVersion, and the annotation that ends the initial events. */
export function bookmark(scope: RequestScope, event: Extract<WatchEvent, { type: 'BOOKMARK' }>): KubeObject {
  const annotations = event.initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  return { kind: scope.kind.kind, apiVersion: scope.apiVersion, metadata: { resourceVersion: String(event.revision), ...annotations } };
}

/** The Status of an ERROR event. */
export function watchErrorStatus(scope: RequestScope, error: unknown): Status {
  return errorToStatus(interpretStorageError(error, 'watch', scope.groupResource, ''));
}

/** A frame that ends a watch with an error. */
export function errorFrame(scope: RequestScope, error: unknown): Buffer {
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
