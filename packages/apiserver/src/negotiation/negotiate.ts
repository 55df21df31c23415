import type { GroupVersionKind } from '@kubechain/apimachinery';
import { parseAccept } from './accept.ts';
import type { AcceptClause } from './accept.ts';
import { notAcceptable, unsupportedMediaType } from './errors.ts';
import { areParameters } from './parameters.ts';
import { jsonMediaType, mediaTypeNames } from './media-types.ts';
import type { MediaType } from './media-types.ts';

/** The representation that a response will have. */
export interface OutputMediaType {
  readonly mediaType: MediaType;
  /** `as=…;v=…;g=…`: Table, PartialObjectMetadata(List), APIGroupDiscoveryList; undefined: the object itself. */
  readonly convert: GroupVersionKind | undefined;
  /** `pretty=1` in the Accept header. */
  readonly pretty: boolean;
  /** `profile=nopeer`: discovery of this server alone; undefined where the header has none. */
  readonly profile?: string;
}

/** What an endpoint offers besides its formats (negotiation.EndpointRestrictions). */
export interface EndpointOffer {
  readonly mediaTypes: readonly MediaType[];
  /** Whether the endpoint can convert to `target` (undefined: no conversion) in that format. */
  allowsTransform(mediaType: MediaType, target: GroupVersionKind | undefined): boolean;
  /** `sv=`: versions of generic output. */
  allowsServerVersion(version: string): boolean;
}

/** Offers the formats and no conversion: errors, discovery documents. */
export function plainOffer(mediaTypes: readonly MediaType[]): EndpointOffer {
  return { mediaTypes, allowsTransform: (_type, target) => target === undefined, allowsServerVersion: () => false };
}

/** The commonest answer, made once. */
const plainJSON: OutputMediaType = { mediaType: jsonMediaType, convert: undefined, pretty: false };

/**
 * Chooses the representation for an Accept header, or undefined when nothing fits
 * (NegotiateMediaTypeOptions of apiserver/pkg/endpoints/handlers/negotiation).
 */
export function negotiate(accept: string | undefined, offer: EndpointOffer): OutputMediaType | undefined {
  const first = offer.mediaTypes[0] as MediaType;
  if (accept === undefined || accept === '')
    return first === jsonMediaType ? plainJSON : { mediaType: first, convert: undefined, pretty: false };
  if (accept === 'application/json' && first === jsonMediaType && offer.allowsTransform(first, undefined))
    return plainJSON;
  for (const clause of parseAccept(accept)) {
    for (const mediaType of offer.mediaTypes) {
      if (!matches(clause, mediaType)) continue;
      const chosen = acceptClause(clause, mediaType, offer);
      if (chosen !== undefined) return chosen;
    }
  }
  return undefined;
}

/** As `negotiate`. @throws StatusError 406 */
export function negotiateOutput(accept: string | undefined, offer: EndpointOffer): OutputMediaType {
  const chosen = negotiate(accept, offer);
  if (chosen === undefined) throw notAcceptable(offer.mediaTypes);
  return chosen;
}

function matches(clause: AcceptClause, mediaType: MediaType): boolean {
  if (clause.type === '*') return clause.subtype === '*';
  return clause.type === mediaType.type && (clause.subtype === mediaType.subtype || clause.subtype === '*');
}

function acceptClause(clause: AcceptClause, mediaType: MediaType, offer: EndpointOffer): OutputMediaType | undefined {
  let convert: { group: string; version: string; kind: string } | undefined;
  let pretty = false;
  let profile: string | undefined;
  for (const [name, value] of clause.parameters) {
    switch (name) {
      case 'as':
        convert = { ...(convert ?? { group: '', version: '' }), kind: value };
        break;
      case 'g':
        convert = { ...(convert ?? { version: '', kind: '' }), group: value };
        break;
      case 'v':
        convert = { ...(convert ?? { group: '', kind: '' }), version: value };
        break;
      case 'stream':
        if (mediaType.streamName === undefined || value !== 'watch') return undefined;
        break;
      case 'sv':
        if (!offer.allowsServerVersion(value)) return undefined;
        break;
      case 'pretty':
        pretty = value === '1';
        break;
      case 'profile':
        profile = value;
        break;
      default:
        break;
    }
  }
  if (!offer.allowsTransform(mediaType, convert)) return undefined;
  return profile === undefined ? { mediaType, convert, pretty } : { mediaType, convert, pretty, profile };
}

/**
 * The format of a request body. No Content-Type means the first format; parameters such as charset are ignored, but
 * have to be well-formed.
 * @throws StatusError 415
 */
export function negotiateInput(contentType: string | undefined, mediaTypes: readonly MediaType[]): MediaType {
  if (contentType === undefined || contentType === '') return mediaTypes[0] as MediaType;
  if (contentType === 'application/json' && mediaTypes[0] === jsonMediaType) return jsonMediaType;
  const semicolon = contentType.indexOf(';');
  const name = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  if (semicolon < 0 || areParameters(contentType.slice(semicolon)))
    for (const mediaType of mediaTypes) if (mediaType.name === name) return mediaType;
  throw unsupportedMediaType(mediaTypeNames(mediaTypes));
}
