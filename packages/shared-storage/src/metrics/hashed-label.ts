import { createHash } from 'node:crypto';

/**
 * What stands in a metric's label for an identifier that is not to be told (a key, a server, an issuer, a file):
 * `sha256:` and the hexadecimal hash; nothing for an empty one.
 */
export function hashedLabel(identifier: string): string {
  return identifier === '' ? '' : `sha256:${createHash('sha256').update(identifier).digest('hex')}`;
}
