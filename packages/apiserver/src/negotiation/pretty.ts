/**
 * Whether JSON is to be indented: `?pretty=` if it says something, else for browsers and command-line HTTP tools
 * (isPrettyPrint of apiserver/pkg/endpoints/handlers/negotiation).
 */
export function wantsPretty(query: URLSearchParams, userAgent: string | undefined): boolean {
  const parameter = query.get('pretty');
  if (parameter !== null && parameter !== '') return parseBool(parameter) === true;
  return (
    userAgent !== undefined &&
    (userAgent.startsWith('curl') || userAgent.startsWith('Wget') || userAgent.startsWith('Mozilla/5.0'))
  );
}

/** Go's strconv.ParseBool: 1, t, T, TRUE, true, True and their opposites; undefined for anything else. */
function parseBool(text: string): boolean | undefined {
  switch (text) {
    case '1':
    case 't':
    case 'T':
    case 'TRUE':
    case 'true':
    case 'True':
      return true;
    case '0':
    case 'f':
    case 'F':
    case 'FALSE':
    case 'false':
    case 'False':
      return false;
    default:
      return undefined;
  }
}
