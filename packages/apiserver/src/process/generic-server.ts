import { AdmissionMetrics } from '../admission/admission-metrics.ts';
import { createAdmissionChain } from '../admission/chain.ts';
import type { ManifestRules } from '../admission/manifests/manifest-objects.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import type { Config } from '../server/completed-config.ts';
import { completeConfig } from '../server/config.ts';
import type { DelegationTarget } from '../server/delegation-target.ts';
import type { GenericAPIServer } from '../server/generic-api-server.ts';
import type { AdmissionParts } from './admission-parts.ts';
import { chosenPlugins, type OfferedPlugin } from './admission-registry.ts';
import { openFlowControl, type OpenedFlowControl } from './flow-control.ts';
import { openRights } from './open-rights.ts';
import type { Rights } from './shared-parts.ts';
import type { ServerParts } from './server-parts.ts';
import type { AssemblyInput } from './assembly-input.ts';
import { addStorageChecks } from './storage-checks.ts';

/** What is special about a server. */
export interface GenericServerOptions<Environment> {
  readonly name: string;
  readonly parts: ServerParts;
  /** Built-in resources, which rights and plugins are read from. */
  readonly storages: ResourceStorages;
  /** Of these the flags choose. */
  readonly plugins: readonly OfferedPlugin<Environment>[];
  /** What the plugins get. */
  readonly pluginEnvironment: (parts: AdmissionParts) => Environment;
  /** Answers what the server does not know; default that of the parts, or nobody. */
  readonly delegate?: DelegationTarget;
  /** As RightsOptions. */
  readonly manifestRules?: ManifestRules | undefined;
  /** Wins over what flags say. */
  readonly config?: Config;
}

/** A server whose resources are still to be installed. */
export interface GenericServer extends Rights {
  readonly server: GenericAPIServer;
}

/**
 * The second half of every server: rights, admission, flow control, and the GenericAPIServer over them.
 * @throws OptionsError one line that names the flag
 */
export function openGenericServer<Environment>(
  input: AssemblyInput,
  options: GenericServerOptions<Environment>,
): GenericServer {
  const { assembly, environment, values } = input;
  const { name, parts, storages } = options;
  const plugins = chosenPlugins(values.admission, options.plugins);
  const { egress, storage, metrics, release } = parts;
  const { admission, security } =
    environment.shared ??
    openRights(input, { storages, storage, metrics, egress, release, manifestRules: options.manifestRules });
  const flowControl = openFlowControlOf(input, options);
  const pluginEnvironment = options.pluginEnvironment(admission);
  const config = completeConfig({
    ...parts.config,
    ...options.config,
    authenticator: security.authentication.request,
    authorizer: security.authorization.authorizer,
    ...(flowControl === undefined ? {} : { flowController: flowControl.controller }),
    admission: createAdmissionChain(
      plugins.map(({ make }) => make(pluginEnvironment)),
      new AdmissionMetrics(metrics),
    ),
  });
  const server = assembly.open(
    'server',
    () => config.newServer(name, options.delegate ?? parts.delegate),
    (opened) => {
      opened.close();
    },
  );
  flowControl?.install(server);
  addStorageChecks(server, parts.storage);
  return { server, security, admission };
}

/** Behind a hop flow control has been done. */
function openFlowControlOf(
  { assembly, values }: AssemblyInput,
  { parts, storages }: Pick<GenericServerOptions<never>, 'parts' | 'storages'>,
): OpenedFlowControl | undefined {
  if (parts.serving === undefined) return undefined;
  return assembly.open(
    'flow control',
    () =>
      openFlowControl({
        generic: values.generic,
        features: values.features,
        storages,
        registry: parts.metrics,
      }),
    (opened) => {
      opened.stop();
    },
  );
}
