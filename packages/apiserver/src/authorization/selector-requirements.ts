import { parseFieldSelector, parseLabelSelector } from '@kubechain/apimachinery';

/** One condition of a selector, as reviews have it. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

const operators: Readonly<Record<string, SelectorRequirement['operator']>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/*
 * What cannot be read or said is left out: a selector only narrows, so that who is asked without it is asked for more
 * (fieldSelectorToAuthorizationAPI, labelSelectorToAuthorizationAPI, 1.36).
 */

/** Of `a=b,c!=d`. */
export function fieldRequirements(text: string): readonly SelectorRequirement[] {
  return readable(() =>
    parseFieldSelector(text).requirements.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === '=' ? 'In' : 'NotIn',
      values: [value],
    })),
  );
}

/** Of `a=b,c in (d,e),!f`. */
export function labelRequirements(text: string): readonly SelectorRequirement[] {
  return readable(() =>
    parseLabelSelector(text).requirements.flatMap(({ key, operator, values }) => {
      const said = operators[operator];
      return said === undefined ? [] : [{ key, operator: said, ...(values.length === 0 ? {} : { values }) }];
    }),
  );
}

function readable(read: () => readonly SelectorRequirement[]): readonly SelectorRequirement[] {
  try {
    return read();
  } catch {
    return [];
  }
}
