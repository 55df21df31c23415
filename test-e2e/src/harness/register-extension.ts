import { expect } from 'chai';
import type { Client } from './client.ts';

/** Group versions of an extension server that listens on a port of this machine. */
export interface Extension {
  readonly group: string;
  readonly versions: readonly string[];
  readonly port: number;
}

/**
 * Makes an extension server part of a cluster: a service that names its host, and an APIService for each version, the
 * first one preferred. Resolves when all are available.
 */
export async function registerExtension(client: Client, { group, port, versions }: Extension): Promise<void> {
  const name = `extension-${port}`;
  const service = await client.post('/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  expect(service.status, service.text).to.equal(201);
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  for (const [i, version] of versions.entries()) {
    const registered = await client.post(services, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 100 - i,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name, port },
      },
    });
    expect(registered.status, registered.text).to.equal(201);
  }
  for (const version of versions)
    await client.until(
      `${services}/${version}.${group}`,
      ({ body }) => body?.status?.conditions?.[0]?.status === 'True',
    );
}
