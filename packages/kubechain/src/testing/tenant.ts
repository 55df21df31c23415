import { dirname } from 'node:path';
import { ControlClient } from '../control/control-client.ts';
import { Faults } from '../control/faults.ts';
import { RequestJournal } from '../control/request-journal.ts';
import { Snapshots } from '../control/snapshots.ts';
import { TenantCalls } from '../control/tenant-calls.ts';
import { LaunchError } from '../launch-error.ts';
import { addUser, type TestUser } from './add-user.ts';
import { APIClient } from './api-client.ts';
import { kubeConfigData, kubeconfigOf, type KubeConfigData, type ServerTrust } from './client-config.ts';
import { tenantConfig, tenantKubeconfig } from './tenant-kubeconfig.ts';
import { installManifests } from './install-manifests.ts';

/** A chain of its own on the port of an environment: its objects, definitions, rights, tokens and resourceVersions. */
export interface TestTenant extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** Path of a kubeconfig with full rights in the tenant, and none elsewhere. */
  readonly kubeconfig: string;
  readonly kubeconfigText: string;
  /** For `loadFromOptions` of @kubernetes/client-node. */
  readonly kubeConfig: KubeConfigData;
  readonly token: string;
  /** A service account, `system:serviceaccount:NAMESPACE:NAME`, with a token. @throws LaunchError for other users */
  addUser(name: string): Promise<TestUser>;
  /** As of the environment. */
  install(...sources: readonly string[]): Promise<void>;
  /** Of the tenant alone. */
  readonly snapshots: Snapshots;
  /** Of requests, watches and webhooks of the tenant alone. */
  readonly faults: Faults;
  /** Of the tenant alone. */
  readonly journal: RequestJournal;
  /** Ends it, with all that it holds. Idempotent. */
  stop(): Promise<void>;
}

/** Where tenants are made. */
export interface TenantHome extends ServerTrust {
  readonly dataDir: string;
}

/** Makes a tenant. @throws LaunchError when its name is none, or is taken, or where there can be none */
export async function startTenant({ dataDir, ...trust }: TenantHome, name: string): Promise<TestTenant> {
  const tenants = new TenantCalls(new ControlClient(dataDir));
  const facts = await tenants.create(name);
  const { token, url } = facts;
  const config = tenantConfig(facts, trust);
  const client = new APIClient(config);
  const control = new ControlClient(dataDir, name);
  const kubeconfig = tenantKubeconfig(dataDir, facts);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    client.close();
    return (stopped ??= tenants.remove(name));
  };
  return {
    name,
    url,
    token,
    kubeconfig,
    kubeconfigText: kubeconfigOf(config),
    kubeConfig: kubeConfigData(config),
    addUser: async (user) => {
      if (!user.startsWith('system:serviceaccount:'))
        throw new LaunchError('Usage', `users of tenants are service accounts, system:serviceaccount:NAMESPACE:NAME`);
      return await addUser({ url, ...trust, dataDir: dirname(kubeconfig), client, nowMs: Date.now() }, user, []);
    },
    install: async (...sources) => {
      const { readManifests } = await import('./read-manifests.ts');
      await installManifests(client, sources.flatMap(readManifests));
    },
    snapshots: new Snapshots(control),
    faults: new Faults(control),
    journal: new RequestJournal(control),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
