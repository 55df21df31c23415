import { socketAddress, type DataDir } from '../data-dir/data-dir.ts';

/** Where a process tells the chain's page about its requests, when there is to be one: `unix:PATH`. */
export function observeAddress(dir: DataDir, name: string): string {
  return socketAddress(dir, `${name}.observe`);
}
