const badEscape = /%(?![0-9a-fA-F]{2})/;
/** Longer queries are made ready for Node's parser. */
const SHORT = 1_000;

/**
 * The parameters of a query as Go's url.Query() has them: pairs that hold a semicolon or a bad percent escape are
 * dropped instead of being read literally. Takes time in proportion to the query, unlike `new URLSearchParams(text)`.
 */
export function parseQuery(search: string): URLSearchParams {
  const isOdd = search.includes(';') || (search.includes('%') && badEscape.test(search));
  if (!isOdd && search.length <= SHORT) return new URLSearchParams(search);
  return new URLSearchParams(
    search
      .split('&')
      .filter((pair) => pair !== '' && !pair.includes(';') && !badEscape.test(pair))
      // Node 24 looks for the `=` of a pair without one up to the end of the query.
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .join('&'),
  );
}
