import {
  builtinScheme,
  decodeJSON,
  decodeProtobuf,
  encodeCBOR,
  encodeProtobuf,
  hasProtobuf,
  isDecodeError,
  isFormatError,
  isProtobuf,
  parseJSONValue,
  readCBOR,
} from '@kubechain/apimachinery';
import type { Field, KindInfo, ListSchema, Scheme, StructSchema } from '@kubechain/apimachinery';
import { parse, stringify } from 'yaml';
import type { Answer } from '../harness/client.ts';
import type { TrialRequest } from './requests.ts';

/** What a request is sent as, and its answer asked for as. */
export interface Encoding {
  /** Of the answer that is asked for. */
  readonly accept: string;
  /** The body in this form; as JSON where it has none, such as one with values of the wrong type in protobuf. */
  encode(request: TrialRequest): { readonly contentType: string; readonly body: string | Uint8Array };
  /** The answer with its body read; as it is where it has come in another form. */
  read(answer: Answer): Answer;
}

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const CBOR_TYPE = 'application/cbor';

const json: Encoding = { accept: JSON_TYPE, encode: asGiven, read: (answer) => answer };

const yaml: Encoding = {
  accept: YAML_TYPE,
  encode: (request) =>
    request.contentType === JSON_TYPE || request.contentType.endsWith('+yaml')
      ? {
          contentType: request.contentType === JSON_TYPE ? YAML_TYPE : request.contentType,
          body: stringify(JSON.parse(request.body), { version: '1.1', lineWidth: 0 }),
        }
      : asGiven(request),
  read: (answer) =>
    isOf(answer, YAML_TYPE) ? { ...answer, body: parse(answer.text, { version: '1.1', logLevel: 'error' }) } : answer,
};

const protobuf: Encoding = {
  accept: PROTOBUF_TYPE,
  encode(request) {
    const body = request.contentType === JSON_TYPE ? protobufOf(request.body) : undefined;
    return body === undefined ? asGiven(request) : { contentType: PROTOBUF_TYPE, body };
  },
  read(answer) {
    if (!isOf(answer, PROTOBUF_TYPE) || !isProtobuf(answer.bytes)) return answer;
    const { kind, object } = decodeProtobuf(answer.bytes, undefined, { scheme: schemeWithMetadata() });
    // What is read alike may have been written otherwise: both must be what the encoder here makes of it.
    const isCanonical = kind !== undefined && encodeProtobuf(object, kind.schema).equals(answer.bytes);
    const body = withoutBigInts(object);
    return { ...answer, body: isCanonical ? body : { ...body, 'in other bytes': answer.bytes.toString('base64') } };
  },
};

/** For servers whose feature gate CBORServingAndStorage is on. */
const cbor: Encoding = {
  accept: CBOR_TYPE,
  encode(request) {
    const { body, contentType } = request;
    if (contentType !== JSON_TYPE && !contentType.endsWith('+yaml')) return asGiven(request);
    return { contentType: contentType.replace(/json|yaml/, 'cbor'), body: cborOf(body) ?? body };
  },
  read: (answer) =>
    isOf(answer, CBOR_TYPE) ? { ...answer, body: withoutBigInts(readCBOR(answer.bytes) as object) } : answer,
};

/** Answers in whatever form they come. */
const any: Encoding = {
  accept: JSON_TYPE,
  encode: asGiven,
  read(answer) {
    const contentType = answer.headers['content-type'] ?? '';
    // Of tables and events only that they have come.
    if (isOf(answer, PROTOBUF_TYPE))
      return { ...answer, body: /stream=watch|as=Table/.test(contentType) ? {} : protobuf.read(answer).body };
    if (isOf(answer, YAML_TYPE))
      return {
        ...answer,
        body: answer.text.split('\n---\n').map((one) => parse(one, { version: '1.1', logLevel: 'error' }) as unknown),
      };
    if (answer.body !== undefined || !isOf(answer, JSON_TYPE)) return answer;
    const lines = answer.text.split('\n').filter((line) => line !== '');
    // Events come in the order in which objects were made, which is each server's own.
    const events = lines.map((line) =>
      line.replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"N"').replace(/"uid":"[^"]*"/g, '"uid":"U"'),
    );
    // The first event of a watch of tables has the columns.
    const columns = events.flatMap((event) => /"columnDefinitions":\[.*?\}\],/.exec(event) ?? []);
    const rows = events.map((event) => event.replace(/"columnDefinitions":(?:null|\[.*?\}\]),/, ''));
    return { ...answer, body: [...columns, ...rows.toSorted().map((row) => JSON.parse(row) as unknown)] };
  },
};

/** By the name that `--encoding` gives. */
export const encodings: ReadonlyMap<string, Encoding> = new Map([
  ['json', json],
  ['yaml', yaml],
  ['protobuf', protobuf],
  ['cbor', cbor],
  ['any', any],
]);

function asGiven({ body, contentType }: TrialRequest): { readonly contentType: string; readonly body: string } {
  return { body, contentType };
}

/** Kinds with a protobuf form, and those that are nothing but metadata. */
const schemeWithMetadata = once((): Scheme => {
  const scheme = builtinScheme();
  const whole = scheme.kind({ group: '', version: 'v1', kind: 'ConfigMapList' }) as KindInfo;
  const list = whole.schema as StructSchema;
  const items = list.fields.get('items') as Field;
  const one = (items.schema as ListSchema).items as StructSchema;
  const partial: StructSchema = {
    ...one,
    fields: new Map([...one.fields].filter(([name]) => ['apiVersion', 'kind', 'metadata'].includes(name))),
  };
  const partialItems: Field = { ...items, schema: { ...(items.schema as ListSchema), items: partial } };
  const partialList: StructSchema = { ...list, fields: new Map([...list.fields, ['items', partialItems]]) };
  return {
    kind: (gvk) =>
      gvk.group === 'meta.k8s.io' && gvk.kind.startsWith('PartialObjectMetadata')
        ? { ...whole, gvk, schema: gvk.kind.endsWith('List') ? partialList : partial }
        : scheme.kind(gvk),
    versions: (group) => scheme.versions(group),
    kinds: () => scheme.kinds(),
    convert: (object, target) => scheme.convert(object, target),
    applyDefaults: (object) => {
      scheme.applyDefaults(object);
    },
  };
});

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Integers that JavaScript's JSON does not have become texts. */
function withoutBigInts(object: object): object {
  return JSON.parse(
    JSON.stringify(object, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
  ) as object;
}

function isOf({ headers }: Answer, mediaType: string): boolean {
  return (headers['content-type'] ?? '').startsWith(mediaType);
}

/** Undefined for what is no JSON. */
function cborOf(text: string): Uint8Array | undefined {
  try {
    return encodeCBOR(parseJSONValue(Buffer.from(text)).value);
  } catch (error) {
    if (isFormatError(error)) return undefined;
    throw error;
  }
}

/** Undefined for what is no object of a kind with a protobuf form. */
export function protobufOf(text: string): Uint8Array | undefined {
  try {
    const { kind, object } = decodeJSON(Buffer.from(text), undefined, { scheme: builtinScheme() });
    return kind !== undefined && hasProtobuf(kind.schema) ? encodeProtobuf(object, kind.schema) : undefined;
  } catch (error) {
    if (isDecodeError(error)) return undefined;
    throw error;
  }
}
