import { syntaxError, parseJSON } from '@kubechain/apimachinery';
import { StorageError } from './errors.ts';

/** Where a paged list goes on. */
export interface ContinuePosition {
  /** Full storage key of the first candidate of the next page (the last key sent, followed by a zero byte). */
  readonly startKey: string;
  /** Revision that all pages are read at; -1 when the next page is read at the latest revision instead. */
  readonly revision: number;
}

const TOKEN_VERSION = 'meta.k8s.io/v1';

/**
 * Token that lets a client go on after `lastKey`. The form is upstream's (apiserver/pkg/storage/continue.go), so that
 * servers of both kinds can serve pages of one list.
 *
 * @param prefix key prefix of the list; `lastKey` lies under it
 * @param revision what all pages are read at; -1 lets the next page be read at the latest revision
 */
export function encodeContinue(lastKey: string, prefix: string, revision: number): string {
  return encodeStart(`${lastKey}\0`, prefix, revision);
}

/** The same for the first key to go on with, whether it was sent or not. */
export function encodeStart(startKey: string, prefix: string, revision: number): string {
  if (!startKey.startsWith(prefix))
    throw new StorageError('Internal', 'unable to encode next field: the key and key prefix do not match', {
      key: startKey,
    });
  const start = JSON.stringify(startKey.slice(prefix.length));
  return Buffer.from(`{"v":"${TOKEN_VERSION}","rv":${revision},"start":${start}}`).toString('base64url');
}

/**
 * Reads a token back. A start key that would leave `prefix` is refused.
 *
 * @throws StorageError `InvalidContinue`
 */
export function decodeContinue(token: string, prefix: string): ContinuePosition {
  const { v: version, rv: revision, start } = parseToken(token);
  if (version !== TOKEN_VERSION)
    throw invalid(`continue key is not valid: server does not recognize this encoded version ${version}`);
  if (revision === 0)
    throw invalid('continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw invalid('continue key is not valid: encoded start key empty (version meta.k8s.io/v1)');
  const relative = start.startsWith('/') ? start.slice(1) : start;
  // `/` alone begins at the prefix.
  if (relative !== '' && !isCleanPath(relative)) throw invalid(`continue key is not valid: ${start}`);
  return { startKey: prefix + relative, revision };
}

interface Token {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

/** Reads the token's JSON; the texts are those of Go's encoding/base64 and encoding/json. */
function parseToken(token: string): Token {
  checkBase64(token);
  const bytes = Buffer.from(token, 'base64url');
  let parsed: unknown;
  try {
    parsed = parseJSON(bytes.toString('utf8'));
  } catch (cause) {
    throw new StorageError(
      'InvalidContinue',
      `invalid continue token: continue key is not valid: ${syntaxError(bytes) ?? 'the token is not JSON'}`,
      { cause },
    );
  }
  if (parsed === null) return { v: '', rv: 0, start: '' };
  if (typeof parsed !== 'object' || Array.isArray(parsed))
    throw invalid(
      `continue key is not valid: json: cannot unmarshal ${jsonType(parsed)} into Go value of type ` +
        'storage.continueToken',
    );
  const { v, rv, start } = parsed as Partial<Record<keyof Token, unknown>>;
  return { v: text(v, 'v'), rv: integer(rv), start: text(start, 'start') };
}

/** Buffer skips what is not base64url, Go refuses it, as it does a last group of one character. */
function checkBase64(token: string): void {
  const bad = token.search(/[^A-Za-z0-9_-]/);
  const at = bad >= 0 ? bad : token.length % 4 === 1 ? token.length - 1 : -1;
  if (at >= 0) throw invalid(`continue key is not valid: illegal base64 data at input byte ${at}`);
}

function text(value: unknown, field: keyof Token): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string')
    throw invalid(
      `continue key is not valid: json: cannot unmarshal ${jsonType(value)} into Go struct field ` +
        `continueToken.${field} of type string`,
    );
  return value;
}

function integer(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw invalid(
      'continue key is not valid: json: cannot unmarshal ' +
        `${jsonType(value)}${typeof value === 'number' ? ` ${value}` : ''} into Go struct field ` +
        'continueToken.rv of type int64',
    );
  }
  return value;
}

/** JSON types as encoding/json calls them. */
function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Whether Go's path.Clean would leave the path as it is: no empty, `.` or `..` elements, no slash at the end. */
function isCleanPath(relative: string): boolean {
  return relative.split('/').every((element) => element !== '' && element !== '.' && element !== '..');
}

function invalid(reason: string): StorageError {
  return new StorageError('InvalidContinue', `invalid continue token: ${reason}`);
}
