import { NamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { createAdmissionChain } from '../admission/chain.ts';
import type { ParsedFlags } from '../options/parse-flags.ts';
import type { ProcessHandle } from '../options/server-process.ts';
import { addStorageChecks } from '../process/storage-checks.ts';
import { openStorage } from '../process/open-storage.ts';
import { auditorFromFlags, genericConfigFromFlags, secureServingFromFlags } from '../server/config-from-flags.ts';
import { completeConfig } from '../server/config.ts';
import { DelegatedAuthentication } from './delegated-authentication.ts';
import type { extensionFlagSets } from './extension-flags.ts';
import { openExtensionResource, type ExtensionResource } from './extension-resource.ts';
import { KubeClient } from './kube-client.ts';
import { RemoteNamespaces } from './remote-namespaces.ts';
import { subjectAccessReviewAuthorizer } from './subject-access-review.ts';

/** An API server that an APIService makes part of a cluster. */
export interface ExtensionServer {
  /** For logs and help. */
  readonly name: string;
  /** API group, e.g. `kitchen.example.com`. */
  readonly group: string;
  /** The version that is stored and that strategies see, e.g. `v1`; resources may be served in others besides. */
  readonly version: string;
  readonly resources: readonly ExtensionResource[];
}

const clock = { now: () => Date.now() };

/**
 * Runs an extension server from flags to its graceful end: storage, watch cache, discovery, OpenAPI, server-side apply
 * and the rest as every server of the chain has them; who callers are and what they may do is the main server's to say.
 */
export async function serveExtension(
  { group, name, resources, version }: ExtensionServer,
  { values }: ParsedFlags<typeof extensionFlagSets>,
  handle: ProcessHandle,
): Promise<void> {
  const client = KubeClient.fromKubeconfig(values.delegated.kubeconfig);
  const [serving, auditor, storage] = await Promise.all([
    secureServingFromFlags(values.serving),
    auditorFromFlags(values.audit),
    openStorage(values.etcd, { signal: handle.signal }),
  ]);
  const opened = resources.map((resource) => openExtensionResource(resource, { group, version }, storage.restOptions));
  try {
    const server = completeConfig({
      ...genericConfigFromFlags(values.generic, values.features),
      clock,
      ...(serving === undefined ? {} : { serving }),
      ...(auditor === undefined ? {} : { auditor }),
      authenticator: await DelegatedAuthentication.open(client, clock, handle.signal),
      authorizer: subjectAccessReviewAuthorizer(client, clock),
      admission: createAdmissionChain([
        new NamespaceLifecycle({ namespaces: new RemoteNamespaces(client, clock), clock }),
      ]),
    }).newServer(name);
    server.installer.installLazily(opened.flatMap(({ endpoints }) => endpoints));
    server.director.claim(group);
    addStorageChecks(server, storage);
    const url =
      serving === undefined
        ? undefined
        : `https://${serving.host.includes(':') ? `[${serving.host}]` : serving.host}:${serving.port}`;
    await server.prepareRun().run(handle.signal, {
      onStarted: () => {
        handle.ready({ url });
      },
    });
  } finally {
    await Promise.all(opened.map(({ store }) => store.close()));
    await storage.close();
    client.close();
  }
}
