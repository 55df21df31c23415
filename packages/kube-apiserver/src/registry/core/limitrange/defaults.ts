import type { LimitRange, LimitRangeItem } from '@kubechain/apimachinery/types/core/v1';
import { roundResourceList } from '../resource-list.ts';

/** Defaults of limit ranges (pkg/apis/core/v1, 1.36). */
export function defaultLimitRange(range: LimitRange): void {
  for (const item of range.spec?.limits ?? []) defaultItem(item);
}

/** Containers get by default the most they may have, need by default what they get, or else the least they may have. */
function defaultItem(item: LimitRangeItem): void {
  if (item.type === 'Container') {
    const most = { ...item.max, ...item.default };
    const least = { ...item.min, ...most, ...item.defaultRequest };
    // Maps without entries are never stored: an object that has one is no other than what is stored.
    if (Object.keys(most).length > 0) item.default = most;
    if (Object.keys(least).length > 0) item.defaultRequest = least;
  }
  roundResourceList(item.max);
  roundResourceList(item.min);
  roundResourceList(item.default);
  roundResourceList(item.defaultRequest);
  roundResourceList(item.maxLimitRequestRatio);
}
