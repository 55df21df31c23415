import { NamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { createAdmissionChain } from '../admission/chain.ts';
import type { FlagValues } from '../options/flag-set.ts';
import type { ParsedFlags } from '../options/parse-flags.ts';
import type { ProcessHandle } from '../options/server-process.ts';
import { serveAssembled, type AssembledServer } from '../process/serve-assembled.ts';
import { openListeningParts } from '../process/server-parts.ts';
import type { AssemblyInput } from '../process/assembly-input.ts';
import { addStorageChecks } from '../process/storage-checks.ts';
import { completeConfig } from '../server/config.ts';
import { DelegatedAuthentication } from './delegated-authentication.ts';
import type { extensionFlagSets } from './extension-flags.ts';
import { openExtensionResource, type ExtensionResource } from './extension-resource.ts';
import { KubeClient } from '../rest-client/kube-client.ts';
import { RemoteNamespaces } from './remote-namespaces.ts';
import { subjectAccessReviewAuthorizer } from '../authorization/subject-access-review.ts';

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

type ExtensionValues = { readonly [K in keyof typeof extensionFlagSets]: FlagValues<(typeof extensionFlagSets)[K]> };

/**
 * Runs an extension server from flags to its graceful end: storage, watch cache, discovery, OpenAPI, server-side apply
 * and the rest as every server of the chain has them; who callers are and what they may do is the main server's to say.
 */
export function serveExtension(
  extension: ExtensionServer,
  { values }: ParsedFlags<typeof extensionFlagSets>,
  handle: ProcessHandle,
): Promise<void> {
  return serveAssembled((input) => assembleExtension(extension, input), values, { handle });
}

async function assembleExtension(
  { group, name, resources, version }: ExtensionServer,
  { assembly, environment, values }: AssemblyInput<ExtensionValues>,
): Promise<AssembledServer> {
  const { clock, signal } = environment;
  const client = assembly.open(
    'client of the main server',
    () => KubeClient.fromKubeconfig(values.delegated.kubeconfig),
    (opened) => {
      opened.close();
    },
  );
  const { config, storage, url } = await openListeningParts({ assembly, environment, values }, name);
  const opened = assembly.open(
    'resources',
    () => resources.map((resource) => openExtensionResource(resource, { group, version }, storage.restOptions)),
    async (all) => void (await Promise.all(all.map(({ store }) => store.close()))),
  );
  const authenticator = await DelegatedAuthentication.open(client, clock, signal);
  const completed = completeConfig({
    ...config,
    authenticator,
    authorizer: subjectAccessReviewAuthorizer(client, clock),
    admission: createAdmissionChain([
      new NamespaceLifecycle({ namespaces: new RemoteNamespaces(client, clock), clock }),
    ]),
  });
  const server = assembly.open(
    'server',
    () => completed.newServer(name),
    (made) => {
      made.close();
    },
  );
  server.installer.installLazily(opened.flatMap(({ endpoints }) => endpoints));
  server.director.claim(group);
  addStorageChecks(server, storage);
  return { server, url };
}
