import { FormatError } from '../../errors/format-error.ts';
import type { GroupVersionKind, KubeObject } from '../../object/object.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import type { StructSchema } from '../../schema/schema.ts';
import { DecodeError } from '../decode-error.ts';
import { utf8Text } from '../../text/utf8.ts';
import type { Decoded, DecodeOptions } from '../decoded.ts';
import { parseGroupVersion } from '../../runtime/group-version.ts';
import {
  findKind,
  identify,
  missingKind,
  notAnObject,
  notAString,
  notJSON,
  requireKind,
  requireVersion,
} from '../identify.ts';
import { exactDecode } from './exact-decode.ts';
import { countKeys, fastDecode } from './fast-decode.ts';
import { putBack, withoutKnownFields } from './known-fields.ts';
import { refuseManyValues } from './many-values.ts';
import { mayBeMisread } from './parse-text.ts';
import { goKind } from './plain-value.ts';
import { scanJSON } from './scan.ts';
import type { Scan } from './scan.ts';
import type { SharedObject } from './shared.ts';
import { MAX_DEPTH, syntaxError } from './syntax-error.ts';
import { parseTree, RawObject } from './tree.ts';
import type { RawValue } from './tree.ts';
import { exactUntyped } from './untyped.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';

/**
 * Decodes one JSON object as apimachinery's JSON serializer does: kind and apiVersion default to those of
 * `expected`, fields are checked against and pruned to the kind's schema, nulls and empty values are dropped
 * as a Go type drops them, times and quantities get their canonical text. No defaults are applied.
 *
 * Without `expected` the kind is looked up in `options.scheme`; without that either the object is kept as it
 * is. So it is for kinds marked `unstructured` (custom resources): there the body must name its kind, any kind
 * of the expected group and version is returned, and telling which is right is left to validation.
 *
 * @throws DecodeError with upstream's text
 * @throws StatusError 413 for more values than a client may send
 */
export function decodeJSON(bytes: Uint8Array, expected: KindInfo | undefined, options: DecodeOptions = {}): Decoded {
  if (options.outside === true) refuseManyValues(bytes);
  const text = utf8Text(bytes);
  const target: Target = { text, expected, options };
  return (
    decodeSharing(target) ?? decodeFast(bytes, target) ?? decodeExactly(parseTree(text), { text, expected, options })
  );
}

interface Target {
  readonly text: string;
  readonly expected: KindInfo | undefined;
  readonly options: DecodeOptions;
}

/**
 * A document whose managed fields are known, without reading those again; undefined for all others, and for what is
 * malformed.
 */
function decodeSharing(target: Target): Decoded | undefined {
  const known = withoutKnownFields(target.text);
  if (known === undefined || hasSurrogateEscape(known.rest)) return undefined;
  const scan = scanJSON(Buffer.from(known.rest, 'utf8'));
  if (scan.exactNumbers || scan.depth > MAX_DEPTH) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(known.rest);
  } catch {
    return undefined;
  }
  return mayBeMisread(known.rest, parsed) ? undefined : decodeParsed(parsed, scan, target, known.taken);
}

/** A document that needs no exact decoder; undefined for all others. @throws DecodeError for what is no JSON */
function decodeFast(bytes: Uint8Array, target: Target): Decoded | undefined {
  const scan = scanJSON(bytes);
  const parsed = parse(target.text, bytes, scan.depth);
  return scan.exactNumbers || hasSurrogateEscape(target.text) || mayBeMisread(target.text, parsed)
    ? undefined
    : decodeParsed(parsed, scan, target);
}

function decodeParsed(
  parsed: unknown,
  scan: Scan,
  { expected, options, text }: Target,
  taken?: readonly SharedObject[],
): Decoded | undefined {
  if (!isPlainObject(parsed)) return undefined;
  const { apiVersion, kind } = parsed;
  if (
    (apiVersion !== undefined && typeof apiVersion !== 'string') ||
    (kind !== undefined && typeof kind !== 'string') ||
    hasFoldedTypeMeta(parsed)
  )
    return undefined;
  const written = { apiVersion: apiVersion ?? '', kind: kind ?? '' };
  const gvk = identify(written.apiVersion, written.kind, expected, () => text);
  const info = expected === undefined && options.scheme === undefined ? undefined : findKind(gvk, expected, options);
  const typed = info !== undefined && info.unstructured !== true && info.schema.kind === 'struct';
  const strict = options.strict === 'Warn' || options.strict === 'Strict';
  const keys = typed ? fastDecode(parsed, info.schema as StructSchema, strict) : countKeys(parsed);
  if (keys !== scan.keys || (taken !== undefined && !putBack(parsed, taken))) return undefined;
  return finish({ object: parsed as KubeObject, gvk, kind: info, written, strictErrors: [] }, expected, options);
}

/** What a tree is decoded with. */
export interface ExactDecodeInput {
  /** Of which the tree was made, for errors. */
  readonly text: string;
  /** The same as JSON, where it was none. */
  readonly asJSON?: () => string;
  readonly expected: KindInfo | undefined;
  readonly options: DecodeOptions;
  /** What was found wrong before, told with what is found here. Default: nothing. */
  readonly earlier?: readonly string[];
  /** What the document says of its type, where that was read before. */
  readonly said?: { readonly gvk: GroupVersionKind; readonly meta: TypeMeta };
  /** What a strict reader says, instead of what is found here. */
  readonly strictErrors?: readonly string[];
}

/** The same from a tree: for what the fast path refused, and for YAML. */
export function decodeExactly(
  raw: RawValue,
  { asJSON, earlier = [], expected, options, said, strictErrors: known, text }: ExactDecodeInput,
): Decoded {
  const strict = options.strict === 'Warn' || options.strict === 'Strict';
  // Unstructured objects are read from JSON without strict rules, and from the document itself with them.
  const document = asJSON !== undefined && !strict && expected?.unstructured === true ? asJSON : (): string => text;
  const { gvk, meta } = said ?? identifyTree(raw, { document, expected, strict });
  const info = expected === undefined && options.scheme === undefined ? undefined : findKind(gvk, expected, options);
  if (info === undefined || info.unstructured === true || info.schema.kind !== 'struct') {
    const { value, strictErrors } = untyped(raw, gvk);
    return finish(
      {
        object: value as KubeObject,
        gvk,
        kind: info,
        written: meta,
        strictErrors: known ?? (strict ? [...earlier, ...strictErrors] : []),
      },
      expected,
      options,
    );
  }
  const { value, error, strictErrors } = exactDecode(raw, info.schema);
  if (error !== undefined) throw new DecodeError('InvalidValue', error, { gvk });
  return finish(
    {
      object: value as KubeObject,
      gvk,
      kind: info,
      written: meta,
      strictErrors: known ?? (strict ? [...earlier, ...strictErrors] : []),
    },
    expected,
    options,
  );
}

function untyped(raw: RawValue, gvk: GroupVersionKind): ReturnType<typeof exactUntyped> {
  try {
    return exactUntyped(raw);
  } catch (error) {
    throw error instanceof FormatError ? new DecodeError('InvalidValue', error.message, { gvk, cause: error }) : error;
  }
}

function finish(plain: Decoded, expected: KindInfo | undefined, options: DecodeOptions): Decoded {
  const decoded = plain.kind?.coerce === undefined ? plain : coerced(plain, plain.kind.coerce, options);
  const { gvk, kind, object, strictErrors } = decoded;
  const foreign = expected !== undefined && kind !== undefined && kind !== expected && options.accepts?.(kind) !== true;
  if (foreign && (kind.hubType === undefined || kind.hubType !== expected.hubType)) requireKind(kind, expected);
  if (strictErrors.length > 0 && options.strict === 'Strict') {
    if (expected?.unstructured === true && gvk.version === '')
      throw new DecodeError('WrongVersion', "Object 'apiVersion' is missing in 'object has no apiVersion field'", {
        gvk,
      });
    throw new DecodeError('Strict', `strict decoding error: ${strictErrors.join(', ')}`, { gvk, strictErrors });
  }
  if (foreign) requireKind(kind, expected);
  if (expected?.unstructured !== true) setTypeMeta(object, gvk);
  else if (options.anyVersion !== true) requireVersion(gvk, expected);
  return decoded;
}

function coerced(decoded: Decoded, coerce: NonNullable<KindInfo['coerce']>, options: DecodeOptions): Decoded {
  const strict = options.strict === 'Warn' || options.strict === 'Strict';
  const unknown = coerce(decoded.object, strict);
  return unknown.length === 0 ? decoded : { ...decoded, strictErrors: [...decoded.strictErrors, ...unknown] };
}

function setTypeMeta(object: KubeObject, gvk: GroupVersionKind): void {
  object.kind = gvk.kind;
  object.apiVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
}

function parse(text: string, bytes: Uint8Array, depth: number): unknown {
  if (depth > MAX_DEPTH) refuseSyntax(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    refuseSyntax(bytes);
    throw notJSON(error instanceof Error ? error.message : 'invalid JSON');
  }
}

function refuseSyntax(bytes: Uint8Array): void {
  const reason = syntaxError(bytes);
  if (reason !== undefined) throw notJSON(reason);
}

/**
 * What a tree says that it is. Unstructured objects are what members spelt exactly so say; those of another case are
 * read before, and named where no kind is found without strict rules.
 */
function identifyTree(
  raw: RawValue,
  {
    expected,
    strict,
    document,
  }: { readonly document: () => string; readonly expected: KindInfo | undefined; readonly strict: boolean },
): { readonly gvk: GroupVersionKind; readonly meta: TypeMeta } {
  const folded = readTypeMeta(raw);
  if (expected?.unstructured !== true)
    return { gvk: identify(folded.apiVersion, folded.kind, expected, document), meta: folded };
  const meta = speltTypeMeta(raw);
  if (folded.kind === '') return { gvk: identify(folded.apiVersion, '', expected, document), meta };
  if (meta.kind === '') {
    const gvk = identify(folded.apiVersion, folded.kind, expected, document);
    const { group, version } = parseGroupVersion(meta.apiVersion) ?? { group: '', version: '' };
    throw missingKind(strict ? { group, version, kind: '' } : gvk, document());
  }
  return { gvk: identify(meta.apiVersion, meta.kind, expected, document), meta };
}

interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Members of exactly these names, the last one of each. Values that are no texts have been refused before. */
function speltTypeMeta(raw: RawValue): TypeMeta {
  const meta = { apiVersion: '', kind: '' };
  if (!(raw instanceof RawObject)) return meta;
  for (const [i, key] of raw.keys.entries()) {
    if (key !== 'kind' && key !== 'apiVersion') continue;
    const value = raw.values[i];
    meta[key] = typeof value === 'string' ? value : '';
  }
  return meta;
}

/** Go's reader of kind and apiVersion ignores the case of keys, and the last one wins. */
function readTypeMeta(raw: RawValue): TypeMeta {
  const meta = { apiVersion: '', kind: '' };
  if (raw === null) return meta;
  if (!(raw instanceof RawObject)) throw notAnObject(goKind(raw));
  for (let i = 0; i < raw.keys.length; i++) {
    const folded = foldedKey(raw.keys[i] ?? '');
    if (folded !== 'kind' && folded !== 'apiversion') continue;
    const value = raw.values[i] ?? null,
      field = folded === 'kind' ? 'kind' : 'apiVersion';
    if (value === null) continue;
    if (typeof value !== 'string') throw notAString(goKind(value), field);
    meta[field] = value;
  }
  return meta;
}

function hasFoldedTypeMeta(object: Record<string, unknown>): boolean {
  for (const key in object) {
    if (key.length !== 4 && key.length !== 10) continue;
    if (key === 'kind' || key === 'apiVersion') continue;
    const folded = foldedKey(key);
    if (folded === 'kind' || folded === 'apiversion') return true;
  }
  return false;
}

/** As Go compares keys without their case: the long s and the sign of Kelvin are letters of another case to it. */
function foldedKey(key: string): string {
  return key.replaceAll('\u017f', 's').toLowerCase();
}

/** Escapes can spell lone surrogates, which Go replaces. */
function hasSurrogateEscape(text: string): boolean {
  return text.includes('\\ud') || text.includes('\\uD');
}
