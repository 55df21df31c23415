import { representationNotAcceptable } from '../../../negotiation/errors.ts';
import type { RequestScope } from '../request-scope.ts';
import type { MetaVersion } from '../response/transform.ts';
import type { EventEncoder, EventEncoderOptions } from './event-encoder.ts';
import { CBORFrames } from './cbor-events.ts';
import { UnhurriedFrames } from './unhurried-frames.ts';
import { ConvertedFrames, MetadataFrames, SharedFrames, TableFrames } from './json-events.ts';
import { WatchForm } from './form-frames.ts';
import { ProtobufFrames, ProtobufMetadataFrames } from './protobuf-events.ts';

/** The encoder for the representation that a watch was asked for. @throws StatusError 406 for lists */
export function createEventEncoder(scope: RequestScope, options: EventEncoderOptions): EventEncoder {
  const { convert, mediaType } = options.output;
  return convert === undefined && mediaType.format === 'json' && scope.servesRecords
    ? new SharedFrames(scope)
    : new UnhurriedFrames(ownEncoder(scope, options), options.turns);
}

/** Objects in their own form. */
const cborForm = new WatchForm();

/** Of frames that are made for one watch, or for those that want the same. */
function ownEncoder(scope: RequestScope, options: EventEncoderOptions): EventEncoder {
  const { convert, mediaType } = options.output;
  if (mediaType.format === 'cbor')
    return new CBORFrames({
      json: jsonOrProtobuf(scope, options),
      ...(convert === undefined
        ? { schema: scope.kindInfo.schema, turns: options.sharedTurns, shared: cborForm.of(scope) }
        : { schema: undefined, turns: options.turns }),
    });
  return jsonOrProtobuf(scope, options);
}

function jsonOrProtobuf(scope: RequestScope, options: EventEncoderOptions): EventEncoder {
  const { convert, mediaType } = options.output;
  const protobuf = mediaType.format === 'protobuf';
  if (convert === undefined)
    return protobuf ? new ProtobufFrames(scope, options.sharedTurns) : new ConvertedFrames(scope);
  const version = convert.version as MetaVersion;
  switch (convert.kind) {
    case 'Table':
      return new TableFrames(scope, options);
    case 'PartialObjectMetadata':
      return protobuf ? new ProtobufMetadataFrames(scope, version) : new MetadataFrames(scope, version);
    default:
      return {
        frame: () => {
          throw representationNotAcceptable(`events cannot be represented as ${convert.kind}`);
        },
      };
  }
}
