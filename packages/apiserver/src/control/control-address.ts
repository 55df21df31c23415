import { unusableFlag } from '../options/options-error.ts';

/** The path in `unix:PATH`; the control API is served on nothing else. @throws OptionsError that names the flag */
export function controlAddress(address: string, flag = 'control-listen'): string {
  const path = address.startsWith('unix:') ? address.slice('unix:'.length) : '';
  if (!path.startsWith('/')) throw unusableFlag(flag, `${JSON.stringify(address)} is not unix:/PATH`);
  return path;
}
