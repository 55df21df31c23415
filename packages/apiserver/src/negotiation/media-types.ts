/** What the server can write and read. */
export type MediaFormat = 'json' | 'yaml' | 'protobuf' | 'cbor';

export interface MediaType {
  readonly format: MediaFormat;
  readonly type: string;
  readonly subtype: string;
  /** `type/subtype` as it goes into Content-Type. */
  readonly name: string;
  /** Content-Type of a watch in this format; undefined where watches have no such form. */
  readonly streamName: string | undefined;
}

export const jsonMediaType: MediaType = {
  format: 'json',
  type: 'application',
  subtype: 'json',
  name: 'application/json',
  streamName: 'application/json',
};
export const yamlMediaType: MediaType = {
  format: 'yaml',
  type: 'application',
  subtype: 'yaml',
  name: 'application/yaml',
  streamName: undefined,
};
export const protobufMediaType: MediaType = {
  format: 'protobuf',
  type: 'application',
  subtype: 'vnd.kubernetes.protobuf',
  name: 'application/vnd.kubernetes.protobuf',
  streamName: 'application/vnd.kubernetes.protobuf;stream=watch',
};

/** Offered where the feature gate CBORServingAndStorage is on. */
export const cborMediaType: MediaType = {
  format: 'cbor',
  type: 'application',
  subtype: 'cbor',
  name: 'application/cbor',
  streamName: 'application/cbor-seq',
};

/** Formats of built-in resources, most preferred first: what a request without Accept gets is the first. */
export const builtInMediaTypes: readonly MediaType[] = [jsonMediaType, yamlMediaType, protobufMediaType];

/** Formats of custom resources, which have no protobuf form. */
export const customResourceMediaTypes: readonly MediaType[] = [jsonMediaType, yamlMediaType];

const builtInMediaTypesWithCBOR: readonly MediaType[] = [...builtInMediaTypes, cborMediaType];
const customResourceMediaTypesWithCBOR: readonly MediaType[] = [...customResourceMediaTypes, cborMediaType];

/** What resources are served in. `custom`: what is no Go type. */
export function resourceMediaTypes({
  cbor,
  custom = false,
}: {
  readonly cbor: boolean;
  readonly custom?: boolean;
}): readonly MediaType[] {
  if (custom) return cbor ? customResourceMediaTypesWithCBOR : customResourceMediaTypes;
  return cbor ? builtInMediaTypesWithCBOR : builtInMediaTypes;
}

/** Media types for error texts, `application/json, application/yaml, …`. */
export function mediaTypeNames(types: readonly MediaType[]): string {
  return types.map((type) => type.name).join(', ');
}

/** The same for watches: only formats that can stream, with their parameter. */
export function streamMediaTypeNames(types: readonly MediaType[]): string {
  return types
    .filter((type) => type.streamName !== undefined)
    .map(watchTypeName)
    .join(', ');
}

/** What the router, and errors, call the streaming form of a format: a sequence of items has a type of its own. */
export function watchTypeName(type: MediaType): string {
  return type.format === 'cbor' ? 'application/cbor-seq' : `${type.name};stream=watch`;
}
