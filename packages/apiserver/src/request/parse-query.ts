const badEscape = /%(?![0-9a-fA-F]{2})/;

/**
 * The parameters of a query as Go's url.Query() has them: pairs that hold a semicolon or a bad percent escape are
 * dropped instead of being read literally.
 */
export function parseQuery(search: string): URLSearchParams {
  if (!search.includes(';') && !(search.includes('%') && badEscape.test(search))) return new URLSearchParams(search);
  return new URLSearchParams(
    search
      .split('&')
      .filter((pair) => !pair.includes(';') && !badEscape.test(pair))
      .join('&'),
  );
}
