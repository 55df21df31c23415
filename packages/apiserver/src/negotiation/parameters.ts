const parameter = /^\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\\r\n]|\\.)*")/;

/**
 * Whether what follows a media type, `; name=value…`, can be read as Go's mime package does: every name once, a last
 * semicolon may be empty.
 */
export function areParameters(text: string): boolean {
  const seen = new Set<string>();
  let rest = text;
  while (rest.trim() !== '' && rest.trim() !== ';') {
    const match = parameter.exec(rest);
    const name = match?.[1]?.toLowerCase();
    if (match === null || name === undefined || seen.has(name)) return false;
    seen.add(name);
    rest = rest.slice(match[0].length);
  }
  return true;
}
