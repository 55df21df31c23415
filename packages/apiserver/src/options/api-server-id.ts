import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';

/** Where API servers keep the leases by which others know that they live. */
export const serverLeaseNamespace = 'kube-system';
/** How these are told from other leases there. */
export const serverLeaseLabels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } as const;

/** Whether a lease is an API server's. */
export function isServerLease(lease: Lease): boolean {
  return Object.entries(serverLeaseLabels).every(([label, value]) => lease.metadata?.labels?.[label] === value);
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Identity of the API servers of a machine, as metrics and identity leases show it: `apiserver-<26 letters>`
 * (server/config.go, 1.36).
 */
export function apiServerID(host = hostname()): string {
  const hash = createHash('sha256').update(lengthPrefixed(host)).update(lengthPrefixed('kube-apiserver')).digest();
  return `apiserver-${base32(hash.subarray(0, 16))}`;
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text);
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(bytes.length);
  return Buffer.concat([prefix, bytes]);
}

/** RFC 4648 without padding, lower case. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(pending >> (bits - 5)) & 31];
    pending &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(pending << (5 - bits)) & 31];
}
