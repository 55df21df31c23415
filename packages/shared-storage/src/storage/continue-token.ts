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
 * @param prefix key prefix of the list, ending in '/'; `lastKey` lies under it
 * @param revision what all pages are read at; -1 lets the next page be read at the latest revision
 */
export function encodeContinue(lastKey: string, prefix: string, revision: number): string {
  if (!lastKey.startsWith(prefix)) throw new StorageError('Internal', 'unable to encode next field: the key and key prefix do not match', { key: lastKey });
  const start = JSON.stringify(`${lastKey.slice(prefix.length)}\0`);
  return Buffer.from(`{"v":"${TOKEN_VERSION}","rv":${revision},"start":${start}}`).toString('base64url');
}

/**
 * Reads a token back. A start key that would leave `prefix` is refused.
 *
 * @throws StorageError `InvalidContinue`
 */
export function decodeContinue(token: string, prefix: string): ContinuePosition {
  const { v: version, rv: revision, start } = parseToken(token);
  if (version !== TOKEN_VERSION) throw invalid(`continue key is not valid: server does not recognize this encoded version ${version}`);
  if (revision === 0) throw invalid('continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw invalid('continue key is not valid: encoded start key empty (version meta.k8s.io/v1)');
  const relative = start.startsWith('/') ? start.slice(1) : start;
  if (!isCleanPath(relative)) throw invalid(`continue key is not valid: ${start}`);
  return { startKey: prefix + relative, revision };
}

interface Token { readonly v: string; readonly rv: number; readonly start: string }

function parseToken(token: string): Token {
  // Buffer skips what is not base64url, Go refuses it.
  if (!/^[A-Za-z0-9_-]*$/.test(token)) throw invalid('continue key is not valid: illegal base64 data at input byte ' + String(token.search(/[^A-Za-z0-9_-]/)));
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch (cause) {
    throw new StorageError('InvalidContinue', 'invalid continue token: continue key is not valid: the token is not JSON', { cause });
  }
  const fields: Partial<Record<keyof Token, unknown>> = typeof parsed === 'object' && parsed !== null ? parsed : {};
  const { v = '', rv = 0, start = '' } = fields;
  if (typeof v !== 'string' || !Number.isSafeInteger(rv) || typeof start !== 'string') throw invalid('continue key is not valid: a field has the wrong type');
  return { v, rv: rv as number, start };
}

/** Whether Go's path.Clean would leave the path as it is: no empty, `.` or `..` elements, no slash at the end. */
function isCleanPath(relative: string): boolean {
  return relative.split('/').every((element) => element !== '' && element !== '.' && element !== '..');
}

function invalid(reason: string): StorageError {
  return new StorageError('InvalidContinue', `invalid continue token: ${reason}`);
}
