const PATTERN = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES = ['alpha', 'beta', undefined];

/**
 * Kubernetes' order of version names, best first: v2, v1, v2beta1, v1beta2, v1alpha1, then the rest by name
 * (apimachinery pkg/version CompareKubeAwareVersionStrings).
 */
export function compareVersions(a: string, b: string): number {
  const left = PATTERN.exec(a),
    right = PATTERN.exec(b);
  if (left === null || right === null) return left !== null ? -1 : right !== null ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return (
    STAGES.indexOf(right[2]) - STAGES.indexOf(left[2]) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}
