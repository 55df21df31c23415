import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controlAddress } from '../control/control-address.ts';
import type { TestEnvironmentOptions } from './test-environment.ts';

/** Whether a flag is among others, in whichever of its spellings. */
export function hasFlag(flags: readonly string[], name: string): boolean {
  return flags.some((flag) => flag.replaceAll('_', '-').split('=', 1)[0] === `--${name}`);
}

/**
 * Flags that servers of an environment have besides the user's, unless those decide otherwise. Writes the file of the
 * administrator's token.
 */
export function environmentFlags(
  { control = false, flags = [], serviceAccountAdmission = false }: TestEnvironmentOptions,
  dataDir: string,
  adminToken: string | undefined,
): string[] {
  const added: string[] = control ? [`--control-listen=${controlAddress(dataDir)}`] : [];
  if (adminToken !== undefined) {
    const tokenFile = join(dataDir, 'tokens.csv');
    writeFileSync(tokenFile, `${adminToken},admin,admin,system:masters\n`, { mode: 0o600 });
    added.push(`--token-auth-file=${tokenFile}`);
  }
  const chosen = ['disable-admission-plugins', 'enable-admission-plugins'].some((name) => hasFlag(flags, name));
  if (!serviceAccountAdmission && !chosen) added.push('--disable-admission-plugins=ServiceAccount');
  return added;
}
