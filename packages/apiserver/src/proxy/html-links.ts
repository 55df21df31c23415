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

/**
 * Each start tag's link attributes; text, comments and everything else stays byte for byte. One pass: pages are
 * strangers' texts, and a pattern that tries again from each `<` would let one of them hold this process.
 */
export function rewriteLinks(html: string, rewrite: (link: string) => string): string {
  let rewritten = '';
  let copied = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const nameEnd = endOfElementName(html, at + 1);
    const names = linkAttributes.get(html.slice(at + 1, nameEnd).toLowerCase());
    at = nameEnd;
    for (;;) {
      const attribute = attributeAt(html, at);
      if (attribute === undefined) break;
      at = attribute.end;
      const { valueStart, valueEnd } = attribute;
      if (valueStart === undefined || names?.has(attribute.name.toLowerCase()) !== true) continue;
      const value = html.slice(valueStart, valueEnd);
      if (!isLink(value)) continue;
      rewritten += html.slice(copied, valueStart) + rewrite(value);
      copied = valueEnd;
    }
  }
  return rewritten + html.slice(copied);
}

interface Attribute {
  readonly name: string;
  /** Without quotes; undefined for an attribute without value. */
  readonly valueStart: number | undefined;
  readonly valueEnd: number;
  readonly end: number;
}

/** The attribute that begins, behind blanks, at `at`; undefined where the tag ends or is none. */
function attributeAt(html: string, at: number): Attribute | undefined {
  const nameStart = skipBlanks(html, at);
  if (nameStart === at) return undefined;
  let nameEnd = nameStart;
  while (nameEnd < html.length && !isBlank(html, nameEnd) && !'=>/'.includes(html[nameEnd]!)) nameEnd++;
  if (nameEnd === nameStart) return undefined;
  const name = html.slice(nameStart, nameEnd);
  const equals = skipBlanks(html, nameEnd);
  if (html[equals] !== '=') return { name, valueStart: undefined, valueEnd: nameEnd, end: nameEnd };
  let valueStart = skipBlanks(html, equals + 1);
  const quote = html[valueStart];
  if (quote === '"' || quote === "'") {
    valueStart++;
    const close = html.indexOf(quote, valueStart);
    return close < 0 ? undefined : { name, valueStart, valueEnd: close, end: close + 1 };
  }
  let valueEnd = valueStart;
  while (valueEnd < html.length && !isBlank(html, valueEnd) && !'"\'>'.includes(html[valueEnd]!)) valueEnd++;
  return valueEnd === valueStart ? undefined : { name, valueStart, valueEnd, end: valueEnd };
}

/** Letters and digits that begin with a letter; the start itself where there are none. */
function endOfElementName(html: string, start: number): number {
  if (!/^[a-zA-Z]/.test(html.charAt(start))) return start;
  let end = start;
  while (/^[a-zA-Z0-9]/.test(html.charAt(end))) end++;
  return end;
}

function skipBlanks(html: string, at: number): number {
  let end = at;
  while (end < html.length && isBlank(html, end)) end++;
  return end;
}

/** White space of ASCII. */
function isBlank(html: string, at: number): boolean {
  const code = html.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Whether a value is one word, as links are. */
function isLink(value: string): boolean {
  return !/[\s"'>]/.test(value);
}
