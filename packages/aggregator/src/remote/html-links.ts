import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Attributes with links, by element (apimachinery pkg/util/proxy/transport.go atomsToAttrs, 1.36). */
const linkAttributes: ReadonlyMap<string, ReadonlySet<string>> = new Map(Object.entries({
  a: ['href'], applet: ['codebase'], area: ['href'], audio: ['src'], base: ['href'], blockquote: ['cite'], body: ['background'], button: ['formaction'], command: ['icon'],
  del: ['cite'], embed: ['src'], form: ['action'], frame: ['longdesc', 'src'], head: ['profile'], html: ['manifest'], iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'], input: ['src', 'usemap', 'formaction'], ins: ['cite'], link: ['href'], object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'], script: ['src'], source: ['src'], video: ['poster', 'src'],
}).map(([element, attributes]) => [element, new Set(attributes)]));

/** Pages that are longer are sent as they are, so that nobody fills the memory with them. */
const maxPageBytes = 8 << 20;

/** Links that begin with a slash name the server that was asked, as the reference writes them; others stay as they are. */
export function absoluteURL(link: string, address: string): string {
  return /^\/(?!\/)/.test(link) ? `https://${address}${link}` : link;
}

/** Whether the links of an answer are rewritten: HTML pages, errors apart from none. */
export function rewritesLinks({ headers }: IncomingMessage): boolean {
  const { 'content-type': contentType = '', 'content-encoding': encoding } = headers;
  return contentType.split(';', 1)[0]?.trim() === 'text/html' && (encoding === undefined || encoding === 'gzip') && Number(headers['content-length'] ?? 0) <= maxPageBytes;
}

/** Sends a page with its links made absolute; the length is known only then. */
export function sendRewritten(page: Readable, response: ServerResponse, { status, address }: { readonly status: number; readonly address: string }): void {
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => { chunks.push(chunk); });
  page.on('end', () => {
    const body = Buffer.from(rewriteLinks(Buffer.concat(chunks).toString(), address));
    response.removeHeader('Transfer-Encoding');
    response.setHeader('Content-Length', body.length);
    response.writeHead(status);
    response.end(body);
  });
}

/** Each start tag's link attributes; text, comments and everything else stays byte for byte. */
export function rewriteLinks(html: string, address: string): string {
  return html.replaceAll(/<([a-zA-Z][a-zA-Z0-9]*)((?:\s+[^\s=>/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)+)/g, (tag, element: string, attributes: string) => {
    const names = linkAttributes.get(element.toLowerCase());
    if (names === undefined) return tag;
    return `<${element}${attributes.replaceAll(/([^\s=>/]+)(\s*=\s*)(["']?)([^"'\s>]*)\3/g, (whole, name: string, equals: string, quote: string, link: string) => names.has(name.toLowerCase()) ? `${name}${equals}${quote}${absoluteURL(link, address)}${quote}` : whole)}`;
  });
}
