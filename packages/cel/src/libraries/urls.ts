import { parseRequestURI, parseURL } from '@kubechain/apimachinery';
import type { GoURL } from '@kubechain/apimachinery';
import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { CelError, CelOpaque, EntryMap, ItemList } from '../values/values.ts';

/** A URL that Go's net/url accepts. */
class CelURL extends CelOpaque {
  readonly typeName = 'kubernetes.URL';
  readonly url: GoURL;
  constructor(url: GoURL) {
    super();
    this.url = url;
  }

  override get text(): string {
    const { scheme, user, host, rawQuery, fragment, opaque } = this.url;
    const authority = host === '' && user === undefined ? '' : `//${user === undefined ? '' : `${user}@`}${host}`;
    return (
      `${scheme === '' ? '' : `${scheme}:`}${opaque === '' ? `${authority}${this.escapedPath}` : opaque}` +
      `${rawQuery === '' ? '' : `?${rawQuery}`}${fragment === '' ? '' : `#${fragment}`}`
    );
  }
  override equals(other: CelOpaque): boolean {
    return other instanceof CelURL && other.text === this.text;
  }

  /** As it was written, unless that has characters that must be escaped. */
  get escapedPath(): string {
    const { path } = this.url;
    if (path === '*' || /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9a-fA-F]{2})*$/.test(path)) return path;
    return [...unescape(path)]
      .map((byte) =>
        /[A-Za-z0-9\-._~$&+,/:;=@]/.test(String.fromCharCode(byte))
          ? String.fromCharCode(byte)
          : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      )
      .join('');
  }

  get hostname(): string {
    const { host } = this.url;
    const name = host.replace(/:\d*$/, '');
    return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  }

  get port(): string {
    return /:(\d*)$/.exec(this.url.host.replace(/^\[.*\]/, ''))?.[1] ?? '';
  }

  /** Values by name; pairs that cannot be read are left out, as those with semicolons. */
  get query(): EntryMap {
    const values = new Map<string, string[]>();
    for (const pair of this.url.rawQuery.split('&')) {
      if (pair === '' || pair.includes(';') || /%(?![0-9a-fA-F]{2})/.test(pair)) continue;
      const equals = pair.indexOf('=');
      const [name, value] = (equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]).map((part) =>
        unescape(part.replaceAll('+', ' ')).toString(),
      ) as [string, string];
      const others = values.get(name);
      if (others === undefined) values.set(name, [value]);
      else others.push(value);
    }
    return EntryMap.of([...values].map(([name, list]) => [name, new ItemList(list)] as const));
  }
}

function unescape(text: string): Buffer {
  return Buffer.concat(
    [...text.matchAll(/%([0-9a-fA-F]{2})|[^%]+/g)].map(([part, hex]) =>
      hex === undefined ? Buffer.from(part) : Buffer.from(hex, 'hex'),
    ),
  );
}

function decodeHost(host: string): string {
  return host.includes('%') ? unescape(host).toString() : host;
}

/** Only absolute URLs and paths, though the fragment is read as one. */
function parse(text: string): CelURL {
  const strict = parseRequestURI(text);
  const found = typeof strict === 'string' ? strict : parseURL(text);
  if (typeof found === 'string') throw new CelError(`URL parse error during conversion from string: ${found}`);
  return new CelURL({ ...found, host: decodeHost(found.host) });
}

/** URLs (apiserver/cel/library/urls.go, 1.36). */
export const urlFunctions: readonly CelFunction[] = [
  define('url(string): kubernetes.URL', parse),
  define('isURL(string): bool', (text: string) => typeof parseRequestURI(text) !== 'string'),
  define('kubernetes.URL.getScheme(): string', ({ url }: CelURL) => url.scheme),
  define('kubernetes.URL.getHost(): string', ({ url }: CelURL) => url.host),
  define('kubernetes.URL.getHostname(): string', ({ hostname }: CelURL) => hostname),
  define('kubernetes.URL.getPort(): string', ({ port }: CelURL) => port),
  define('kubernetes.URL.getEscapedPath(): string', ({ escapedPath }: CelURL) => escapedPath),
  define('kubernetes.URL.getQuery(): map(string, list(string))', ({ query }: CelURL) => query),
];
