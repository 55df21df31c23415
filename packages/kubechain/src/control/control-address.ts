import { locateDataDir, socketAddress } from '../data-dir/data-dir.ts';

/** Where the chain of a data directory serves the control API, when it is asked to: `unix:PATH`. */
export function controlAddress(dataDir: string): string {
  return socketAddress(locateDataDir(dataDir), 'control');
}
