const pattern = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/;

/**
 * Order of Kubernetes version names, best first: GA before beta before alpha, higher numbers first; names of any other
 * form come last, by text (apimachinery/pkg/version.CompareKubeAwareVersionStrings).
 */
export function compareKubeVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = pattern.exec(a);
  const right = pattern.exec(b);
  if (left === null || right === null) {
    if (left !== null) return -1;
    if (right !== null) return 1;
    return a < b ? -1 : 1;
  }
  return stability(right) - stability(left) || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0);
}

function stability(match: RegExpExecArray): number {
  return match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
}
