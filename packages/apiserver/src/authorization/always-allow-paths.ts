import { ALLOW, NO_OPINION } from './authorizer.ts';
import { unusableFlag } from '../options/options-error.ts';
import type { Authorizer } from './authorizer.ts';

/**
 * --authorization-always-allow-paths: URL paths that need no permission, exact or ending in `*`.
 * @throws OptionsError for a `*` elsewhere
 * Source: authorization/path.
 */
export function alwaysAllowPaths(paths: readonly string[]): Authorizer {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  for (const path of paths) {
    const trimmed = path.replace(/^\//, '');
    if (trimmed.slice(0, -1).includes('*'))
      throw unusableFlag('authorization-always-allow-paths', `only trailing * allowed in ${JSON.stringify(trimmed)}`);
    if (trimmed.endsWith('*')) prefixes.push(trimmed.slice(0, -1));
    else exact.add(trimmed);
  }
  return {
    authorize({ resourceRequest, path }) {
      if (resourceRequest) return NO_OPINION;
      const trimmed = path.replace(/^\//, '');
      return exact.has(trimmed) || prefixes.some((prefix) => trimmed.startsWith(prefix)) ? ALLOW : NO_OPINION;
    },
  };
}
