import { posix } from 'node:path';

/** How a proxied page's links are found and what they become. */
export interface LinkRewriting {
  /** Scheme and `host:port` that rewritten links name; both '' for links that name the server they are on. */
  readonly scheme: string;
  readonly host: string;
  /**
   * Path of the proxied resource on this server, `/api/v1/namespaces/n/services/s/proxy`; '' when paths are the same on
   * both.
   */
  readonly prefix: string;
  /** `host:port` that was connected to. */
  readonly backendHost: string;
  /** Host header that the backend got. */
  readonly requestHost: string;
}

const urlParts = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s;

/**
 * A link as it works through the proxy: absolute paths of the backend's own host get the prefix of the proxied
 * resource, others stay as they are (apimachinery pkg/util/proxy Transport.rewriteURL, 1.36).
 */
export function rewriteLink(link: string, { scheme, host, prefix, backendHost, requestHost }: LinkRewriting): string {
  const [, ownScheme = '', ownHost = '', path = '', rest = ''] = urlParts.exec(link) ?? [];
  const elsewhere = ownHost !== '' && ownHost !== backendHost && ownHost !== requestHost;
  if (elsewhere || !path.startsWith('/')) return link;
  const keepsHost = ownHost === requestHost && scheme === '' && host === '';
  const origin = keepsHost ? originOf(ownScheme, ownHost) : originOf(scheme, host);
  if (path.startsWith(prefix)) return `${origin}${path}${rest}`;
  const joined = posix.join(prefix, path);
  return `${origin}${path.endsWith('/') && !joined.endsWith('/') ? `${joined}/` : joined}${rest}`;
}

function originOf(scheme: string, host: string): string {
  return `${scheme === '' ? '' : `${scheme}:`}${host === '' ? '' : `//${host}`}`;
}
