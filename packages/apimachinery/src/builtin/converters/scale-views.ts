import { parseLabelSelector, selectorFromMap } from '../../selectors/label-selector.ts';
import { viewConverters } from './views.ts';
import type { Data } from './views.ts';
import { dataOf } from './views.ts';

/*
 * The selector of a Scale was a map, and its text a field of its own (pkg/apis/apps/v1beta1, v1beta2 and
 * pkg/apis/extensions/v1beta1, Kubernetes 1.36).
 */

const views = [
  { group: 'apps', version: 'v1beta1' },
  { group: 'apps', version: 'v1beta2' },
  { group: 'extensions', version: 'v1beta1' },
];

/** Scales of the groups that had one of their own. */
export const scaleConverters = viewConverters(
  'Scale',
  { group: 'autoscaling', version: 'v1' },
  views.map((view) => ({ ...view, toHub, fromHub })),
);

function toHub(scale: Data): Data {
  const status = dataOf(scale['status']);
  if (status === undefined) return scale;
  const { selector, targetSelector, ...rest } = status;
  const map = dataOf(selector) as Record<string, string> | undefined;
  const text = targetSelector || (map === undefined ? '' : selectorFromMap(map).toString());
  scale['status'] = text === '' ? rest : { ...rest, selector: text };
  return scale;
}

function fromHub(scale: Data): Data {
  const status = dataOf(scale['status']);
  if (status === undefined) return scale;
  const { selector = '', ...rest } = status;
  const map = mapOf(String(selector));
  scale['status'] = {
    ...rest,
    ...(map === undefined || Object.keys(map).length === 0 ? {} : { selector: map }),
    ...(selector === '' ? {} : { targetSelector: selector }),
  };
  return scale;
}

/** The labels that a selector asks for; undefined when it asks for more than labels with a value. */
function mapOf(text: string): Record<string, string> | undefined {
  const map: Record<string, string> = {};
  for (const { key, operator, values } of parseLabelSelector(text).requirements) {
    const [value] = values;
    if ((operator !== '=' && operator !== '==') || value === undefined) return undefined;
    map[key] = value;
  }
  return map;
}
