import {
  badRequest,
  decodeCBOR,
  DecodeError,
  decodeErrorStatus,
  decodeJSON,
  decodeProtobuf,
  decodeYAML,
  formatGroupVersion,
  isDecodeError,
  noteEmptied,
  wasEmptied,
  withDefaults,
} from '@kubechain/apimachinery';
import type { Decoded, DecodeOptions, FieldValidation, KindInfo, KubeObject } from '@kubechain/apimachinery';
import type { MediaType } from '../../negotiation/media-types.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { Turns } from '../../request/turns.ts';
import type { RequestScope } from './request-scope.ts';
import { addStrictWarnings } from './strict-warnings.ts';

/** Go names a scheme by the line that makes it. */
const customScheme = 'pkg/runtime/scheme.go:111';

export interface BodySource {
  readonly body: Uint8Array;
  readonly mediaType: MediaType;
  readonly fieldValidation: FieldValidation;
  readonly turns?: Turns;
}

/**
 * The object in a body: decoded and checked against the served version, defaulted, in memory version.
 * @throws StatusError BadRequest in the reference's words
 */
export async function decodeBody(
  scope: RequestScope,
  context: RequestContext,
  source: BodySource,
): Promise<KubeObject> {
  const options: DecodeOptions = {
    strict: source.fieldValidation,
    outside: true,
    scheme: scope.scheme,
    schemeName: scope.schemeName,
    accepts: (kind) => isOtherVersion(scope, kind),
    // It is refused below, behind warnings.
    anyVersion: true,
  };
  let decoded: Decoded;
  try {
    decoded = await decodeBytes(source.mediaType, source.body, { expected: scope.kindInfo, options });
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    // The reference looks up the words in a scheme of custom kinds, where the Scale of one is not.
    if (scope.custom && scope.kindInfo.unstructured !== true)
      throw badRequest(
        `no kind is registered for the type ${scope.kind.version}.${scope.kind.kind} in scheme "${customScheme}"`,
      );
    throw decodeErrorStatus(asKnown(error, scope, source), scope.kindInfo, source.body);
  }
  addStrictWarnings(context, decoded.strictErrors);
  const { gvk, object } = decoded;
  if (
    (gvk.group !== scope.kind.group || gvk.version !== scope.kind.version) &&
    scope.storage.acceptsGroupVersion?.(gvk) !== true
  ) {
    throw badRequest(
      `the API version in the data (${formatGroupVersion(gvk)}) does not match the expected API version ` +
        `(${scope.apiVersion})`,
    );
  }
  const turn = source.turns?.next();
  if (turn !== undefined) await turn;
  scope.scheme.applyDefaults(object);
  return toMemoryVersion(scope, object);
}

/** Where fields are not validated, the reference takes a custom object that names no kind for one of the kind asked for. */
function asKnown(error: DecodeError, { kindInfo }: RequestScope, { fieldValidation }: BodySource): DecodeError {
  const { code, gvk, message } = error;
  return code === 'MissingKind' && kindInfo.unstructured === true && fieldValidation === 'Ignore'
    ? new DecodeError(code, message, { gvk: gvk === undefined ? kindInfo.gvk : withDefaults(gvk, kindInfo.gvk) })
    : error;
}

/**
 * One version of the same kind where another is expected, of whichever group: readable, though refused with words of
 * its own. Events live in two groups.
 */
function isOtherVersion(scope: RequestScope, kind: KindInfo): boolean {
  if (kind.gvk.kind !== scope.kind.kind) return false;
  const { hubType } = scope.kindInfo;
  return (
    kind.gvk.group === scope.kind.group ||
    (hubType !== undefined && kind.hubType === hubType) ||
    (kind.gvk.kind === 'Event' && (kind.gvk.group === '' || kind.gvk.group === 'events.k8s.io')) ||
    scope.storage.acceptsGroupVersion?.(kind.gvk) === true
  );
}

/** @throws DecodeError */
export function decodeBytes(
  mediaType: MediaType,
  body: Uint8Array,
  target: { readonly expected: KindInfo | undefined; readonly options: DecodeOptions },
): Decoded | Promise<Decoded> {
  switch (mediaType.format) {
    case 'json':
      return decodeJSON(body, target.expected, target.options);
    case 'yaml':
      return decodeYAML(body, target.expected, target.options);
    case 'protobuf':
      return decodeProtobuf(body, target.expected, target.options);
    case 'cbor':
      return decodeCBOR(body, target.expected, target.options);
    default:
      return mediaType.format satisfies never;
  }
}

/**
 * A private object in the served version, as the storage wants it: a list of managed fields that the client emptied
 * stays so. May change its argument.
 */
export async function toMemoryVersion(scope: RequestScope, object: KubeObject): Promise<KubeObject> {
  const version = scope.storage.memoryVersion;
  if (version === undefined || object.apiVersion === formatGroupVersion(version)) return object;
  const { metadata } = object;
  const converted = await scope.scheme.convert(object, version);
  if (converted.metadata !== undefined && wasEmptied(metadata, 'managedFields'))
    noteEmptied(converted.metadata, 'managedFields', 'list');
  return converted;
}

/** A private object of the storage in the served version. May change its argument. */
export function toServedVersion(scope: RequestScope, object: KubeObject): KubeObject | Promise<KubeObject> {
  return object.apiVersion === scope.apiVersion || object.kind !== scope.kind.kind
    ? object
    : scope.scheme.convert(object, scope.kind);
}
