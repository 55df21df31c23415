import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Process id of one part of a running chain, as its pid file says. Throws when there is none. */
export function pidOf(
  dataDir: string,
  name: 'aggregator' | 'kube-apiserver' | 'apiextensions' | 'etcd' | 'controllers',
): number {
  return Number(readFileSync(join(dataDir, 'run', `${name}.pid`), 'utf8').trim());
}
