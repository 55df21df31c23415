import { Quantity } from '@kubechain/apimachinery';

/** Amounts by resource name, as `requests`, `limits` and `capacity` hold them. */
export type ResourceList = Record<string, string>;

/** Only texts like these can stand for less than a thousandth: quantities arrive in canonical form. */
const finerThanMilli = /[un]$|e-/;

/**
 * Rounds amounts up to thousandths in place, as finer ones are not kept (SetDefaults_ResourceList of
 * pkg/apis/core/v1/defaults.go, 1.36).
 */
export function roundResourceList(list: ResourceList | undefined): void {
  if (list === undefined) return;
  for (const name in list) {
    const text = list[name];
    if (text === undefined || !finerThanMilli.test(text)) continue;
    const quantity = Quantity.parse(text);
    if (quantity.scale < -3) list[name] = new Quantity(quantity.milliValue(), -3, quantity.format).toString();
  }
}

/** Rounds requests and limits. */
export function roundResources(
  resources: { readonly requests?: ResourceList; readonly limits?: ResourceList } | undefined,
): void {
  if (resources === undefined) return;
  roundResourceList(resources.limits);
  roundResourceList(resources.requests);
}
