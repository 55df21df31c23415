import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientConfig } from './client-config.ts';

/** The administrator of a chain whose certificates are in the folder `pki`. */
export function adminConfig(address: Pick<ClientConfig, 'server' | 'serverName'>, pki: string): ClientConfig {
  const read = (name: string): string => readFileSync(join(pki, name), 'utf8');
  return {
    ...address,
    caCertificate: read('ca.crt'),
    user: 'kubernetes-admin',
    credentials: { kind: 'certificate', cert: read('admin.crt'), key: read('admin.key') },
  };
}
