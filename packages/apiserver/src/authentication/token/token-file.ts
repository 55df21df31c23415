import { readFileSync } from 'node:fs';
import { unusableFlag } from '../../options/options-error.ts';
import type { AuthenticatedUser, TokenAuthenticator } from '../authenticator.ts';
import type { UserInfo } from '../../request/user-info.ts';
import { parseCSV } from '../../options/csv.ts';

export interface TokenFileOptions {
  /** Told of empty and duplicate tokens, which are not errors. */
  readonly warn?: (text: string) => void;
}

/**
 * --token-auth-file: `token,user name,user uid[,"group1,group2"]` a line, read once. Later lines win over earlier ones
 * with the same token.
 * @throws OptionsError when the file cannot be read or a record has fewer than three columns
 * Source: authentication/token/tokenfile.
 */
export function loadTokenFile(path: string, options: TokenFileOptions = {}): TokenAuthenticator {
  const tokens = new Map<string, AuthenticatedUser>();
  let number = 0;
  for (const record of readRecords(path)) {
    if (record.length < 3) {
      throw unusableFlag(
        'token-auth-file',
        `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`,
      );
    }
    number++;
    const [token, name, uid, groups] = record as [string, string, string, string | undefined];
    if (token === '') {
      options.warn?.(`empty token has been found in token file '${path}', record number '${number}'`);
      continue;
    }
    if (tokens.has(token))
      options.warn?.(`duplicate token has been found in token file '${path}', record number '${number}'`);
    const user: UserInfo = { name, uid, groups: groups === undefined ? [] : groups.split(',') };
    tokens.set(token, { user });
  }
  return { authenticateToken: (token) => tokens.get(token) };
}

function readRecords(path: string): string[][] {
  try {
    return parseCSV(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw unusableFlag('token-auth-file', `cannot read '${path}': ${(cause as Error).message}`, cause);
  }
}
