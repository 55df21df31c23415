/** Cost units of cel-go (common/cost.go, 0.26). */
export const accessCost = 1,
  listCost = 10,
  mapCost = 30,
  structCost = 40;
/** Of going through one character of a text. */
export const textFactor = 0.1;
/** Of one character of a pattern. */
export const patternFactor = 0.25;

/** Of asking the authorizer: two questions are what an expression can afford (apiserver/cel/library cost.go, 1.36). */
export const authorizationCost = 350_000;
/** Functions that put a question to the authorizer together, or read its answer. */
const authorizationCalls: readonly string[] = [
  'serviceAccount',
  'path',
  'group',
  'resource',
  'subresource',
  'namespace',
  'name',
  'allowed',
  'reason',
  'error',
  'errored',
];

/** Functions of the libraries whose calls cost one unit, whatever they are given. */
export const callsOfOne: readonly string[] = [
  'masked',
  'prefixLength',
  'family',
  'isUnspecified',
  'isLoopback',
  'isLinkLocalMulticast',
  'isLinkLocalUnicast',
  'isGlobalUnicast',
  'format.named',
  'sign',
  'asInteger',
  'isInteger',
  'asApproximateFloat',
  'isGreaterThan',
  'isLessThan',
  'compareTo',
  'add',
  'sub',
  'major',
  'minor',
  'patch',
  'getScheme',
  'getHostname',
  'getHost',
  'getPort',
  'getEscapedPath',
  'getQuery',
  ...authorizationCalls,
];

/** Of reading a selector: every second character may begin a requirement, which is a list and an object. */
export function selectorCost(characters: number): number {
  return (
    listCost + Math.ceil(characters * textFactor) + Math.ceil(Math.ceil(characters * 0.5) * (listCost + structCost))
  );
}
