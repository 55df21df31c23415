import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantFacts } from '@kubechain/apiserver/control';
import { locateDataDir } from '../data-dir/data-dir.ts';
import { writePrivateFile } from '../pki/key-pair-files.ts';
import { serverOf } from '../pki/kubeconfig.ts';
import { kubeconfigOf, trustOf, type ClientConfig, type ServerTrust } from './client-config.ts';

/** The administrator of a tenant. */
export function tenantConfig({ token, url }: TenantFacts, trust: ServerTrust): ClientConfig {
  return { server: url, ...trust, user: 'admin', credentials: { kind: 'token', token } };
}

/** Writes the kubeconfig of a tenant of the chain on a data directory; answers its path. */
export function tenantKubeconfig(dataDir: string, facts: TenantFacts): string {
  const { kubeconfig, pki, root } = locateDataDir(dataDir);
  const folder = join(root, 'tenants', facts.name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'admin.kubeconfig');
  const { serverName } = serverOf(readFileSync(kubeconfig, 'utf8'));
  const trust = trustOf({
    caCertificate: readFileSync(join(pki, 'ca.crt'), 'utf8'),
    ...(serverName === undefined ? {} : { serverName }),
  });
  writePrivateFile(path, kubeconfigOf(tenantConfig(facts, trust)));
  return path;
}
