import { FormatError, selectorFromMap, selectorFromObject } from '@kubechain/apimachinery';
import type { LabelSelectorObject } from '@kubechain/apimachinery';
import type { Container } from '@kubechain/apimachinery/types/core/v1';

export const none = '<none>';
export const unset = '<unset>';

/** A plain map of labels as `a=b,c=d`. */
export function labelsCell(labels: Readonly<Record<string, string>> | undefined): string {
  return selectorFromMap(labels).toString() || none;
}

/** A selector as `a=b,c in (d,e)`. */
export function selectorCell(selector: LabelSelectorObject | undefined): string {
  try {
    return selectorFromObject(selector).toString() || none;
  } catch (error) {
    if (error instanceof FormatError) return '<error>';
    throw error;
  }
}

/** Names and images of containers, each as a list with commas. */
export function containerCells(containers: readonly Container[] | undefined): readonly [names: string, images: string] {
  const list = containers ?? [];
  return [list.map((container) => container.name).join(','), list.map((container) => container.image ?? '').join(',')];
}

/** At most three items, then how many more there are; `<unset>` when there are none. */
export function threeOf(items: readonly string[]): string {
  const most = 3;
  return items.length <= most
    ? items.join(',') || unset
    : `${items.slice(0, most).join(',')} + ${items.length - most} more...`;
}

/** IPs or host names of a load balancer, sorted, each once. */
export function addressesCell(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] | undefined,
): string {
  return [
    ...new Set((ingress ?? []).map(({ hostname, ip }) => ip || hostname || '').filter((address) => address !== '')),
  ]
    .sort()
    .join(',');
}
