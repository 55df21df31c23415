import { noPause, type Pause } from '@kubechain/apimachinery';

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

/** Longer names are no element's and no attribute's that is known. */
const longestName = 16;
/** After so many tags and attributes it is time for a look at the clock. */
const unseen = 256;

/**
 * Each start tag's link attributes; text, comments and everything else stays byte for byte. One pass: pages are
 * strangers' texts, and a pattern that tries again from each `<` would let one of them hold this process.
 */
export async function rewriteLinks(
  html: string,
  rewrite: (link: string) => string,
  pause: Pause = noPause,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let rewritten = '';
  let copied = 0;
  let seen = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const nameEnd = endOfElementName(html, at + 1);
    const names = linkAttributes.get(nameOf(html, at + 1, nameEnd));
    at = nameEnd;
    for (;;) {
      if (++seen % unseen === 0) {
        const turn = pause();
        if (turn !== undefined) {
          parts.push(Buffer.from(rewritten));
          rewritten = '';
          await turn;
        }
      }
      const attribute = attributeAt(html, at);
      if (attribute === undefined) break;
      at = attribute.end;
      const { valueStart, valueEnd } = attribute;
      if (valueStart === undefined || names?.has(attribute.name) !== true) continue;
      const value = html.slice(valueStart, valueEnd);
      if (!isLink(value)) continue;
      rewritten += html.slice(copied, valueStart) + rewrite(value);
      copied = valueEnd;
    }
  }
  return Buffer.concat([...parts, Buffer.from(rewritten), Buffer.from(html.slice(copied))]);
}

/** In small letters; '' where it is too long to be known. */
function nameOf(html: string, start: number, end: number): string {
  return end - start > longestName ? '' : html.slice(start, end).toLowerCase();
}

interface Attribute {
  /** In small letters; '' of one that is not known. */
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
  while (nameEnd < html.length && !isBlank(html, nameEnd) && !endsName(html.charCodeAt(nameEnd))) nameEnd++;
  if (nameEnd === nameStart) return undefined;
  const name = nameOf(html, nameStart, nameEnd);
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
  while (valueEnd < html.length && !isBlank(html, valueEnd) && !endsValue(html.charCodeAt(valueEnd))) valueEnd++;
  return valueEnd === valueStart ? undefined : { name, valueStart, valueEnd, end: valueEnd };
}

/** Letters and digits that begin with a letter; the start itself where there are none. */
function endOfElementName(html: string, start: number): number {
  if (!isLetter(html.charCodeAt(start))) return start;
  let end = start;
  while (isLetter(html.charCodeAt(end)) || isDigit(html.charCodeAt(end))) end++;
  return end;
}

/** `=`, `>` or `/`. */
function endsName(code: number): boolean {
  return code === 0x3d || code === 0x3e || code === 0x2f;
}

/** A quote or `>`. */
function endsValue(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x3e;
}

/** Of ASCII; beyond the text there is none. */
function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
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
