import { createHash } from 'node:crypto';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';

/** Where server leases are, and how they are told from the leases of others. */
export const serverLeaseNamespace = 'kube-system';
export const serverLeaseLabel = 'apiserver.kubernetes.io/identity';
export const serverLeaseIdentity = 'kube-apiserver';
/** A lease that nobody has renewed for this long belongs to a server that is gone. */
const durationSeconds = 3_600;

/**
 * `apiserver-` and half of the host name's SHA-256 in base32, as the reference names a server
 * (apiserver/pkg/server/config.go, 1.36).
 */
export function serverID(hostname: string): string {
  const digest = createHash('sha256').update(hostname).digest().subarray(0, 16);
  return `apiserver-${base32(digest)}`;
}

/** The lease by which others know that a server lives. `nowMs`: milliseconds since the epoch. */
export function serverLease({
  hostname,
  holder,
  nowMs,
}: {
  readonly hostname: string;
  readonly holder: string;
  readonly nowMs: number;
}): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: serverID(hostname),
      namespace: serverLeaseNamespace,
      labels: { [serverLeaseLabel]: serverLeaseIdentity, 'kubernetes.io/hostname': hostname },
    },
    spec: { holderIdentity: holder, leaseDurationSeconds: durationSeconds, renewTime: microTime(nowMs) },
  };
}

/** The same lease, renewed. */
export function renewed(lease: Lease, nowMs: number): Lease {
  return { ...lease, spec: { ...lease.spec, leaseDurationSeconds: durationSeconds, renewTime: microTime(nowMs) } };
}

/** Whether nobody holds a lease any more; one without times is nobody's either. */
export function isExpired({ spec }: Lease, nowMs: number): boolean {
  if (spec?.renewTime === undefined || spec.leaseDurationSeconds === undefined) return true;
  return Date.parse(spec.renewTime) + spec.leaseDurationSeconds * 1_000 < nowMs;
}

/** metav1.MicroTime. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

/** RFC 4648, lower case, without padding. */
function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('');
}
