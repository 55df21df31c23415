import type { IncomingMessage } from 'node:http';
import { objectStatsPath } from '../request/object-stats-path.ts';

const probes: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz']);
const longestProbe = '/healthz'.length;
const leases = '/apis/coordination.k8s.io/v1/namespaces/';
/** Which groups there are: controllers that follow what is served ask every half a minute. */
const roots: ReadonlySet<string> = new Set(['/api', '/apis']);
/** Bytes; that of a node or a leader has 300 to 1,500. */
const largestLease = 4_096;

/**
 * Whether a request is one of those that come without end to a server that nobody uses, and ask next to nothing of it:
 * a probe of its health by nobody, the roots of discovery, how much is stored, or the look at or the renewal of one
 * small lease.
 */
export function isHeartbeat({ headers, method, url = '' }: IncomingMessage): boolean {
  if (url.length <= longestProbe)
    return method === 'GET' && (probes.has(url) ? headers.authorization === undefined : roots.has(url));
  // The process in front asks every minute.
  if (url === objectStatsPath) return method === 'GET';
  if (!url.startsWith(leases) || url.length > 512 || !/\/leases\/[^/?]+$/.test(url)) return false;
  const bytes = Number(headers['content-length'] ?? (method === 'GET' ? 0 : Infinity));
  return (method === 'GET' || method === 'PUT') && bytes <= largestLease;
}
