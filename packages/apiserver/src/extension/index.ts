/**
 * Entry point `@kubechain/apiserver/extension`: a whole extension API server from a list of resources, and what its
 * author needs to say what is special about each: types of strategies, hooks and columns, errors of fields, ages.
 */
import { runServerProcess } from '../options/server-process.ts';
import { extensionFlagSets } from './extension-flags.ts';
import type { ExtensionServer } from './extension-server.ts';

export type { ExtensionServer } from './extension-server.ts';
export type { ExtensionResource } from './extension-resource.ts';
export type { ExtensionVersion } from './extension-scheme.ts';
export type { FieldReader } from '../registry/generic/resource-spec.ts';
export type { StoreHooks } from '../registry/generic/store-hooks.ts';
export type { Strategy } from '../registry/generic/strategy.ts';
export type { RESTContext } from '../registry/rest/storage.ts';
export type { UserInfo } from '../request/user-info.ts';
export { ageSince } from '../table/age-cell.ts';
export type { PrintedRow, TableCell, TableColumnDefinition, TableConvertor } from '../table/table-convertor.ts';
export {
  FieldPath,
  badRequest,
  duplicate,
  forbidden,
  forbiddenValue,
  invalidValue,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '@kubechain/apimachinery';
export type { FieldError, KubeObject, OpenAPIV3Schema } from '@kubechain/apimachinery';

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
