/** Where the next process listens. */
export type DelegateAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'https'; readonly hostname: string; readonly port: number };

/** Reads `unix:PATH` or `https://host:port`; undefined for anything else. */
export function parseDelegateAddress(text: string): DelegateAddress | undefined {
  if (text.startsWith('unix:')) {
    const path = text.slice('unix:'.length).replace(/^\/\/(?=\/)/, '');
    return path === '' ? undefined : { kind: 'unix', path };
  }
  if (!text.startsWith('https://') || !URL.canParse(text)) return undefined;
  const { hostname, port, pathname, search, hash, username } = new URL(text);
  if (hostname === '' || (pathname !== '/' && pathname !== '') || search !== '' || hash !== '' || username !== '')
    return undefined;
  return { kind: 'https', hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 443 : Number(port) };
}
