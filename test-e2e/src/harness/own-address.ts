import { networkInterfaces } from 'node:os';

/** An address of this machine that is not its loopback: proxies of pods, services and nodes lead nowhere else. */
export function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
  if (found === undefined) throw new Error('this machine has no address but its loopback');
  return found;
}
