import { readFlagFile } from './read-flag-file.ts';
import { arrayFlag, stringFlag, type Flag } from './flag.ts';

/** A flag with the path of a file that the process reads. */
export function fileFlag(help: string): Flag<string> {
  return { ...stringFlag(help), inspect: inspectFile };
}

/** The same, given once for each file. */
export function filesFlag(help: string): Flag<readonly string[]> {
  return { ...arrayFlag(help), inspect: inspectFile };
}

function inspectFile(path: string, flag: string): void {
  if (path !== '') readFlagFile(path, flag);
}
