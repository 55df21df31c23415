import { configMaps, definitions, namespaced } from './api-requests.ts';
import type { Target } from './target.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const others = '?fieldSelector=metadata.name!%3Dkept';

/** What rows may leave, and what of it stays. */
const left: readonly string[] = [
  `${configMaps}${others}`,
  `${namespaced('pods')}${others}&gracePeriodSeconds=0`,
  namespaced('resourcequotas'),
  namespaced('limitranges'),
  namespaced('secrets'),
  namespaced('events'),
  `${namespaced('services')}`,
  namespaced('roles', rbac),
  `${namespaced('rolebindings', rbac)}?fieldSelector=metadata.name!%3Deve`,
  definitions,
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
];

/** Takes away what a row has left, as the administrator, so that the next one meets what it would meet alone. */
export async function reset(target: Target): Promise<void> {
  for (const path of left) await target.http2([{ method: 'DELETE', path }]);
}
