import { setTimeout as delay } from 'node:timers/promises';
import { configMaps, definitions, namespaced } from './api-requests.ts';
import { read } from './pour.ts';
import type { Target } from './target.ts';

const apps = 'apps/v1';
const others = '?fieldSelector=metadata.name!%3Dkept';
/** Of what rows make outside of the namespace. */
const labelled = '?labelSelector=hostile%3Dmany';

/** What rows may leave, what controllers make more of first. */
const left: readonly string[] = [
  `${namespaced('deployments', apps)}${others}`,
  namespaced('statefulsets', apps),
  namespaced('cronjobs', 'batch/v1'),
  namespaced('jobs', 'batch/v1'),
  `${namespaced('replicasets', apps)}?labelSelector=hostile%3Dmany`,
  `${namespaced('pods')}${others}&gracePeriodSeconds=0`,
  `${configMaps}?fieldSelector=metadata.name!%3Dkept,metadata.name!%3Dkube-root-ca.crt`,
  namespaced('resourcequotas'),
  namespaced('secrets'),
  namespaced('endpoints'),
  `${namespaced('serviceaccounts')}?fieldSelector=metadata.name!%3Dkept,metadata.name!%3Ddefault`,
  `/apis/certificates.k8s.io/v1/certificatesigningrequests${labelled}`,
  `/api/v1/namespaces${labelled}`,
  definitions,
];
/** How long each may take that controllers have to end, in ms. */
const patienceMs = 120_000;

/** Takes away what a row has left, as the administrator, and waits until controllers have done what is theirs. */
export async function clear(target: Target): Promise<void> {
  for (const path of left) {
    const [plain, query = ''] = path.split('?');
    const listed = `${plain}?limit=1&${query}`;
    for (const startedAt = performance.now(); await isThere(target, listed);) {
      if (performance.now() - startedAt > patienceMs) throw new Error(`${path} is not gone in time`);
      // Namespaces cannot be deleted together.
      const paths = plain === '/api/v1/namespaces' ? await namespaces(target) : [path];
      await target.http2(paths.map((each) => ({ method: 'DELETE', path: each })));
      await delay(100);
    }
  }
}

async function isThere(target: Target, path: string): Promise<boolean> {
  return ((await read<{ readonly items: readonly unknown[] }>(target, path))?.items.length ?? 0) > 0;
}

async function namespaces(target: Target): Promise<string[]> {
  const path = `/api/v1/namespaces${labelled}`;
  const { items = [] } =
    (await read<{ readonly items: readonly { readonly metadata: { readonly name: string } }[] }>(target, path)) ?? {};
  return items.map(({ metadata: { name } }) => `/api/v1/namespaces/${name}`);
}
