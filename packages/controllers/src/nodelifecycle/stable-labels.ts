import type { Node } from '@kubechain/apimachinery/types/core/v1';

/** Labels, and the older names under which some still look for them. */
const older = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** The older labels that a node lacks or has otherwise; undefined where there are none (reconcileNodeLabels, 1.36). */
export function stableLabels({ metadata }: Node): Readonly<Record<string, string>> | undefined {
  const labels = metadata?.labels ?? {};
  const wrong = older.flatMap(([stable, beta]) => {
    const value = labels[stable];
    return value === undefined || labels[beta] === value ? [] : [[beta, value] as const];
  });
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong);
}
