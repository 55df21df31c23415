import type { ResourceQuota } from '@kubechain/apimachinery/types/core/v1';
import { roundResourceList } from '../resource-list.ts';

/** Defaults of quotas: amounts are kept in thousandths (pkg/apis/core/v1, 1.36). */
export function defaultResourceQuota(quota: ResourceQuota): void {
  roundResourceList(quota.spec?.hard);
  roundResourceList(quota.status?.hard);
  roundResourceList(quota.status?.used);
}
