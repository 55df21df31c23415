import { discoveryFeedPath } from '../endpoints/discovery/discovery-feed.ts';
import type { RequestInfo } from '../request/request-context.ts';

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const subresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Requests without a deadline and outside of the in-flight limits: watches, streams, profiles (kube-apiserver's
 * LongRunningFunc).
 */
export function isLongRunning(info: RequestInfo): boolean {
  if (verbs.has(info.verb)) return true;
  if (info.isResourceRequest) return info.subresource !== '' && subresources.has(info.subresource);
  return info.path.startsWith('/debug/pprof/') || info.path === discoveryFeedPath;
}
