import { isIP } from 'node:net';

/** Whether an IP address reaches no further than this machine. */
export function isLoopback(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith('127.') : address === '::1';
}
