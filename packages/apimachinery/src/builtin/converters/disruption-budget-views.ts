import { viewConverters } from './views.ts';
import type { Data } from './views.ts';
import { dataOf, itemsOf } from './views.ts';

/*
 * An empty selector selected no pods in policy/v1beta1, and selects all of them in policy/v1
 * (pkg/apis/policy/v1beta1/conversion.go, Kubernetes 1.36).
 */

const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
const noneInHub = { matchExpressions: [{ key, operator: 'Exists' }] };
const allInView = { matchExpressions: [{ key, operator: 'DoesNotExist' }] };

/** PodDisruptionBudgets in both versions. */
export const disruptionBudgetConverters = viewConverters('PodDisruptionBudget', { group: 'policy', version: 'v1' }, [
  {
    group: 'policy',
    version: 'v1beta1',
    toHub: (budget) => select(budget, toHub),
    fromHub: (budget) => select(budget, fromHub),
  },
]);

function select(budget: Data, change: (selector: Data) => Data): Data {
  const spec = dataOf(budget['spec']);
  const selector = dataOf(spec?.['selector']);
  if (spec !== undefined && selector !== undefined) spec['selector'] = change(selector);
  return budget;
}

function toHub(selector: Data): Data {
  if (isEmpty(selector)) return structuredClone(noneInHub);
  if (isOnly(selector, 'DoesNotExist')) return {};
  const { matchExpressions, ...rest } = selector;
  const kept = itemsOf(matchExpressions).filter((expression) => expression['key'] !== key);
  return kept.length === 0 ? rest : { ...rest, matchExpressions: kept };
}

function fromHub(selector: Data): Data {
  if (isEmpty(selector)) return structuredClone(allInView);
  return isOnly(selector, 'Exists') ? {} : selector;
}

function isEmpty({ matchExpressions, matchLabels }: Data): boolean {
  return itemsOf(matchExpressions).length === 0 && Object.keys(dataOf(matchLabels) ?? {}).length === 0;
}

/** Whether all it says is whether pods have the label that no pod has. */
function isOnly({ matchExpressions, matchLabels }: Data, operator: string): boolean {
  const [first, ...more] = itemsOf(matchExpressions);
  return (
    more.length === 0 &&
    Object.keys(dataOf(matchLabels) ?? {}).length === 0 &&
    first?.['key'] === key &&
    first['operator'] === operator &&
    !(Array.isArray(first['values']) && first['values'].length > 0)
  );
}
