const parameter = /^\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\\r\n]|\\.)*)")/;

/**
 * Whether what follows a media type, `; name=value…`, can be read as Go's mime package does: a name that comes again
 * has the same value, a last semicolon may be empty.
 */
export function areParameters(text: string): boolean {
  const seen = new Map<string, string>();
  let rest = text;
  while (rest.trim() !== '' && rest.trim() !== ';') {
    const match = parameter.exec(rest);
    const name = match?.[1]?.toLowerCase();
    if (match === null || name === undefined) return false;
    const value = match[2] ?? (match[3] ?? '').replaceAll(/\\(.)/g, '$1');
    if ((seen.get(name) ?? value) !== value) return false;
    seen.set(name, value);
    rest = rest.slice(match[0].length);
  }
  return true;
}
