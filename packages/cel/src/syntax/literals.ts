const single: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['?', '?'],
  ['`', '`'],
]);

/** What a text or byte literal stands for, or what is wrong with an escape in it. */
export function unquote(literal: string, isBytes: boolean): string | Uint8Array | { readonly problem: string } {
  const raw = /^[rR]/.test(literal);
  const quoted = raw ? literal.slice(1) : literal;
  const quotes = /^(?:"""|''')/.test(quoted) ? 3 : 1;
  const body = quoted.slice(quotes, -quotes).replace(/\r\n?/g, '\n');
  if (raw) return isBytes ? Buffer.from(body) : body;
  const parts: (string | number)[] = [];
  let valid = true;
  const rest = body.replace(
    /\\([0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|[^\\]+/gsu,
    (whole, escape: string | undefined) => {
      if (escape === undefined) parts.push(whole);
      else {
        const unit = unescape(escape);
        if (unit === undefined || (isBytes && /^[uU]/.test(escape))) valid = false;
        else
          parts.push(
            isBytes && typeof unit === 'number' ? unit : typeof unit === 'number' ? String.fromCodePoint(unit) : unit,
          );
      }
      return '';
    },
  );
  if (!valid || rest !== '') return { problem: isBytes ? 'unable to unescape string' : 'invalid unicode code point' };
  if (!isBytes) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))));
}

function unescape(escape: string): string | number | undefined {
  const simple = single.get(escape);
  if (simple !== undefined) return simple;
  const code = /^[0-3]/.test(escape) ? Number.parseInt(escape, 8) : Number.parseInt(escape.slice(1), 16);
  return Number.isNaN(code) || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? undefined : code;
}
