import { unusableFlag } from '../options/options-error.ts';

/** The path in `unix:PATH`; the control API is served on nothing else. @throws OptionsError */
export function controlAddress(flag: string): string {
  const path = flag.startsWith('unix:') ? flag.slice('unix:'.length) : '';
  if (!path.startsWith('/')) throw unusableFlag('control-listen', `${JSON.stringify(flag)} is not unix:/PATH`);
  return path;
}
