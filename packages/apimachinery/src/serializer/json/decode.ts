import type { GroupVersionKind, KubeObject } from '../../runtime/object.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import type { StructSchema } from '../../schema/schema.ts';
import { DecodeError } from '../decode-error.ts';
import type { Decoded, DecodeOptions } from '../decoded.ts';
import { findKind, identify, notAnObject, notAString, notJSON, requireKind, requireVersion } from '../identify.ts';
import { exactDecode } from './exact-decode.ts';
import { countKeys, fastDecode } from './fast-decode.ts';
import { goKind } from './plain-value.ts';
import { scanJSON } from './scan.ts';
import { MAX_DEPTH, syntaxError } from './syntax-error.ts';
import { parseTree, RawObject } from './tree.ts';
import type { RawValue } from './tree.ts';
import { exactUntyped } from './untyped.ts';
import { isPlainObject } from '../../runtime/is-plain-object.ts';

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
 */
export function decodeJSON(bytes: Uint8Array, expected: KindInfo | undefined, options: DecodeOptions = {}): Decoded {
  const strict = options.strict === 'Warn' || options.strict === 'Strict';
  const text = decodeUTF8(bytes);
  const scan = scanJSON(bytes);
  const parsed = parse(text, bytes, scan.depth);
  if (!scan.exactNumbers && isPlainObject(parsed) && !hasSurrogateEscape(text)) {
    const { apiVersion, kind } = parsed;
    if ((apiVersion === undefined || typeof apiVersion === 'string') && (kind === undefined || typeof kind === 'string') && !hasFoldedTypeMeta(parsed)) {
      const gvk = identify(apiVersion ?? '', kind ?? '', expected, () => text);
      const info = expected === undefined && options.scheme === undefined ? undefined : findKind(gvk, expected, options);
      const typed = info !== undefined && info.unstructured !== true && info.schema.kind === 'struct';
      const keys = typed ? fastDecode(parsed, info.schema as StructSchema, strict) : countKeys(parsed);
      if (keys === scan.keys) return finish({ object: parsed as KubeObject, gvk, kind: info, strictErrors: [] }, expected, options);
    }
  }
  return decodeExactly(parseTree(text), text, expected, options);
}

/** The same from a tree: for what the fast path refused, and for YAML. */
export function decodeExactly(raw: RawValue, text: string, expected: KindInfo | undefined, options: DecodeOptions, earlier: readonly string[] = []): Decoded {
  const strict = options.strict === 'Warn' || options.strict === 'Strict';
  const meta = readTypeMeta(raw);
  const gvk = identify(meta.apiVersion, meta.kind, expected, () => text);
  const info = expected === undefined && options.scheme === undefined ? undefined : findKind(gvk, expected, options);
  if (info === undefined || info.unstructured === true || info.schema.kind !== 'struct') {
    const { value, strictErrors } = exactUntyped(raw);
    return finish({ object: value as KubeObject, gvk, kind: info, strictErrors: strict ? [...earlier, ...strictErrors] : [] }, expected, options);
  }
  const { value, error, strictErrors } = exactDecode(raw, info.schema);
  if (error !== undefined) throw new DecodeError('InvalidValue', error, { gvk });
  return finish({ object: value as KubeObject, gvk, kind: info, strictErrors: strict ? [...earlier, ...strictErrors] : [] }, expected, options);
}

function finish(plain: Decoded, expected: KindInfo | undefined, options: DecodeOptions): Decoded {
  const decoded = plain.kind?.coerce === undefined ? plain : coerced(plain, plain.kind.coerce, options);
  const { gvk, kind, object, strictErrors } = decoded;
  const foreign = expected !== undefined && kind !== undefined && kind !== expected && options.accepts?.(kind) !== true;
  if (foreign && (kind.hubType === undefined || kind.hubType !== expected.hubType)) requireKind(kind, expected);
  if (strictErrors.length > 0 && options.strict === 'Strict') {
    throw new DecodeError('Strict', `strict decoding error: ${strictErrors.join(', ')}`, { gvk, strictErrors });
  }
  if (foreign) requireKind(kind, expected);
  if (expected?.unstructured === true) requireVersion(gvk, expected);
  else setTypeMeta(object, gvk);
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

/** Go's reader of kind and apiVersion ignores the case of keys, and the last one wins. */
function readTypeMeta(raw: RawValue): { apiVersion: string; kind: string } {
  const meta = { apiVersion: '', kind: '' };
  if (raw === null) return meta;
  if (!(raw instanceof RawObject)) throw notAnObject(goKind(raw));
  for (let i = 0; i < raw.keys.length; i++) {
    const folded = raw.keys[i]?.toLowerCase();
    if (folded !== 'kind' && folded !== 'apiversion') continue;
    const value = raw.values[i] ?? null, field = folded === 'kind' ? 'kind' : 'apiVersion';
    if (value === null) continue;
    if (typeof value !== 'string') throw notAString(goKind(value), field);
    meta[field] = value;
  }
  return meta;
}

function hasFoldedTypeMeta(object: Record<string, unknown>): boolean {
  for (const key in object) {
    if (key.length !== 4 && key.length !== 10) continue;
    if (key !== 'kind' && key !== 'apiVersion' && (key.toLowerCase() === 'kind' || key.toLowerCase() === 'apiversion')) return true;
  }
  return false;
}

/** Invalid UTF-8 becomes U+FFFD, as in Go. */
function decodeUTF8(bytes: Uint8Array): string {
  return (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString('utf8');
}

/** Escapes can spell lone surrogates, which Go replaces. */
function hasSurrogateEscape(text: string): boolean {
  return text.includes('\\ud') || text.includes('\\uD');
}

