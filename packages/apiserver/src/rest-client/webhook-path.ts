import { formatDuration } from '../options/duration.ts';

/**
 * Where a webhook of a kubeconfig is asked: at the server's address as it stands, which is told how long it may take,
 * as Go's client does (client-go rest.Request, 1.36).
 * @param timeoutMs absent: it is not told
 */
export function webhookPath(timeoutMs: number | undefined): string {
  return timeoutMs === undefined ? '' : `?timeout=${formatDuration(timeoutMs)}`;
}
