/** Entry point `@kubechain/apiserver/extension`: a whole extension API server from a list of resources. */
import { runServerProcess } from '../options/server-process.ts';
import { extensionFlagSets } from './extension-flags.ts';
import type { ExtensionServer } from './extension-server.ts';

export type { ExtensionServer } from './extension-server.ts';
export type { ExtensionResource } from './extension-resource.ts';
export type { ExtensionVersion } from './extension-scheme.ts';

/**
 * The main function of an extension server; never throws. Reads flags (`--help` lists them), then serves until SIGTERM.
 */
export function runExtensionServer(server: ExtensionServer): Promise<void> {
  return runServerProcess({
    name: server.name,
    description: `Serves ${server.group}/${server.version} as an extension API server.`,
    flagSets: extensionFlagSets,
    run: async (flags, handle) => (await import('./extension-server.ts')).serveExtension(server, flags, handle),
  });
}
