import { goQuote } from '../errors/go-format.ts';
import { formatGroupVersion, parseGroupVersion } from '../runtime/group-version.ts';
import type { GroupVersionKind } from '../object/object.ts';
import type { KindInfo } from '../runtime/scheme.ts';
import { DecodeError } from './decode-error.ts';
import type { DecodeOptions } from './decoded.ts';

const TYPE_META = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** The text for a document whose root is no object. */
export function notAnObject(goKind: string): DecodeError {
  return new DecodeError(
    'Unreadable',
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKind} into Go value of type ${TYPE_META}`,
  );
}

/** The text for a document whose kind or apiVersion is no string. */
export function notAString(goKind: string, field: string): DecodeError {
  return new DecodeError(
    'Unreadable',
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKind} into Go struct field ` +
      `.${field} of type string`,
  );
}

/** The text for a document that is no JSON. */
export function notJSON(reason: string): DecodeError {
  return new DecodeError('Unreadable', `couldn't get version/kind; json parse error: ${reason}`);
}

/**
 * Reads apiVersion and kind with what is missing taken from `expected`;
 * unstructured objects get nothing filled in, but may lack apiVersion.
 *
 * @throws DecodeError `Unreadable`, `MissingKind` or `MissingVersion`
 */
export function identify(
  apiVersion: string,
  kind: string,
  expected: KindInfo | undefined,
  document: () => string,
): GroupVersionKind {
  const gv = parseGroupVersion(apiVersion);
  if (gv === undefined) throw new DecodeError('Unreadable', `unexpected GroupVersion string: ${apiVersion}`);
  const unstructured = expected?.unstructured === true;
  const said = { ...gv, kind };
  const gvk = expected === undefined || unstructured ? said : withDefaults(said, expected.gvk);
  if (gvk.kind === '') throw missingKind(gvk, document());
  if (gvk.version === '' && !unstructured)
    throw new DecodeError('MissingVersion', `Object 'apiVersion' is missing in '${document()}'`, { gvk });
  return gvk;
}

/** The text for a document without a kind. */
export function missingKind(gvk: GroupVersionKind, document: string): DecodeError {
  return new DecodeError('MissingKind', `Object 'Kind' is missing in '${document}'`, { gvk });
}

/** What is missing of a kind, taken from the one that is expected (gvkWithDefaults of apimachinery 1.36). */
export function withDefaults(said: GroupVersionKind, expected: GroupVersionKind): GroupVersionKind {
  const kind = said.kind === '' ? expected.kind : said.kind;
  if (said.version !== '') return { ...said, kind };
  if (said.group !== '' && said.group !== expected.group) return { ...said, kind };
  return { group: expected.group, version: expected.version, kind };
}

/**
 * The kind to decode as.
 * @throws DecodeError `NotRegistered`
 */
export function findKind(gvk: GroupVersionKind, expected: KindInfo | undefined, options: DecodeOptions): KindInfo {
  if (expected !== undefined && (expected.unstructured === true || sameKind(gvk, expected.gvk))) return expected;
  const kind = options.scheme?.kind(gvk);
  if (kind !== undefined) return kind;
  const version = formatGroupVersion(gvk);
  const schemeName = options.schemeName ?? 'pkg/api/legacyscheme/scheme.go:30';
  throw new DecodeError(
    'NotRegistered',
    `no kind ${goQuote(gvk.kind)} is registered for version ${goQuote(version)} in scheme ${goQuote(schemeName)}`,
    { gvk },
  );
}

/**
 * Refuses a decoded kind that is not the expected one.
 * @throws DecodeError `WrongKind`, or `WrongVersion` when it is the same thing in another version
 */
export function requireKind(kind: KindInfo, expected: KindInfo): void {
  const gvk = kind.gvk;
  if (kind.hubType === undefined || kind.hubType !== expected.hubType) {
    throw new DecodeError(
      'WrongKind',
      `converting (${kind.goType}) to (${expected.hubType ?? expected.goType}): unknown conversion`,
      { gvk },
    );
  }
  requireVersion(gvk, expected);
}

/**
 * Refuses data of another group or version than the expected kind's.
 * @throws DecodeError `WrongVersion`
 */
export function requireVersion(gvk: GroupVersionKind, expected: KindInfo): void {
  if (gvk.group === expected.gvk.group && gvk.version === expected.gvk.version) return;
  throw new DecodeError(
    'WrongVersion',
    `the API version in the data (${formatGroupVersion(gvk)}) does not match the expected API version ` +
      `(${formatGroupVersion(expected.gvk)})`,
    { gvk },
  );
}

function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}
