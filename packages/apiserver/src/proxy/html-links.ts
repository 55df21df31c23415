/** Attributes with links, by element (apimachinery pkg/util/proxy/transport.go atomsToAttrs, 1.36). */
const linkAttributes: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    a: ['href'],
    applet: ['codebase'],
    area: ['href'],
    audio: ['src'],
    base: ['href'],
    blockquote: ['cite'],
    body: ['background'],
    button: ['formaction'],
    command: ['icon'],
    del: ['cite'],
    embed: ['src'],
    form: ['action'],
    frame: ['longdesc', 'src'],
    head: ['profile'],
    html: ['manifest'],
    iframe: ['longdesc', 'src'],
    img: ['longdesc', 'src', 'usemap'],
    input: ['src', 'usemap', 'formaction'],
    ins: ['cite'],
    link: ['href'],
    object: ['classid', 'codebase', 'data', 'usemap'],
    q: ['cite'],
    script: ['src'],
    source: ['src'],
    video: ['poster', 'src'],
  }).map(([element, attributes]) => [element, new Set(attributes)]),
);

/** Each start tag's link attributes; text, comments and everything else stays byte for byte. */
export function rewriteLinks(html: string, rewrite: (link: string) => string): string {
  return html.replaceAll(
    /<([a-zA-Z][a-zA-Z0-9]*)((?:\s+[^\s=>/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)+)/g,
    (tag, element: string, attributes: string) => {
      const names = linkAttributes.get(element.toLowerCase());
      if (names === undefined) return tag;
      return `<${element}${attributes.replaceAll(/([^\s=>/]+)(\s*=\s*)(["']?)([^"'\s>]*)\3/g, (whole, name: string, equals: string, quote: string, link: string) => (names.has(name.toLowerCase()) ? `${name}${equals}${quote}${rewrite(link)}${quote}` : whole))}`;
    },
  );
}
