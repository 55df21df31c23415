import { representationNotAcceptable } from '../../../negotiation/errors.ts';
import type { RequestScope } from '../request-scope.ts';
import type { MetaVersion } from '../response/transform.ts';
import type { EventEncoder, EventEncoderOptions } from './event-encoder.ts';
import { CBORFrames } from './cbor-events.ts';
import { UnhurriedFrames } from './unhurried-frames.ts';
import { ConvertedFrames, MetadataFrames, SharedFrames, TableFrames } from './json-events.ts';
import { ProtobufFrames, ProtobufMetadataFrames } from './protobuf-events.ts';

/** The encoder for the representation that a watch was asked for. @throws StatusError 406 for lists */
export function createEventEncoder(scope: RequestScope, options: EventEncoderOptions): EventEncoder {
  const { convert, mediaType } = options.output;
  return convert === undefined && mediaType.format === 'json' && scope.servesRecords
    ? new SharedFrames(scope)
    : new UnhurriedFrames(ownEncoder(scope, options), options.turns);
}

/** Of frames that are made for one watch. */
function ownEncoder(scope: RequestScope, options: EventEncoderOptions): EventEncoder {
  const { convert, mediaType } = options.output;
  if (mediaType.format === 'cbor')
    return new CBORFrames(jsonOrProtobuf(scope, options), convert === undefined ? scope.kindInfo.schema : undefined);
  return jsonOrProtobuf(scope, options);
}

function jsonOrProtobuf(scope: RequestScope, options: EventEncoderOptions): EventEncoder {
  const { convert, mediaType } = options.output;
  const protobuf = mediaType.format === 'protobuf';
  if (convert === undefined) return protobuf ? new ProtobufFrames(scope) : new ConvertedFrames(scope);
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
