import { posix } from 'node:path';

/** What the name of a proxied object says: `name`, `name:port` or `scheme:name:port`. */
export interface SchemeNamePort {
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

/**
 * Takes the name of a proxied object apart; undefined when it is none (apimachinery pkg/util/net SplitSchemeNamePort,
 * 1.36).
 */
export function splitSchemeNamePort(id: string): SchemeNamePort | undefined {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) return undefined;
  return { scheme, name, port };
}

/**
 * The path below a proxied object without `.`, `..` and double slashes, its trailing slash kept
 * (JoinPreservingTrailingSlash).
 */
export function cleanPath(path: string): string {
  if (path === '') return '';
  const clean = posix.normalize(path);
  return path.endsWith('/') && !clean.endsWith('/') ? `${clean}/` : clean;
}
