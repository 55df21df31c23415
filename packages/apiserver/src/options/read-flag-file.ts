import { messageOf } from '@kubechain/apimachinery';
import { readFileSync } from 'node:fs';
import { unusableFlag } from './options-error.ts';

/**
 * What a flag's file holds.
 * @throws OptionsError that names the flag
 */
export function readFlagFile(path: string, flag: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'no such file'
        : code === 'EACCES'
          ? 'permission denied'
          : code === 'EISDIR'
            ? 'is a directory'
            : messageOf(error);
    throw unusableFlag(flag, `cannot read ${path}: ${reason}`, error);
  }
}
