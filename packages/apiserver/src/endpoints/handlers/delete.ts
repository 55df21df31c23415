import { badRequest, builtinScheme, isDecodeError, StatusError } from '@kubechain/apimachinery';
import type { KindInfo, KubeObject, ReleaseAge, Scheme, Status } from '@kubechain/apimachinery';
import { RegistryError } from '../../registry/registry-error.ts';
import { negotiateInput } from '../../negotiation/negotiate.ts';
import type { BegunExchange } from '../../request/side-server.ts';
import type { ResourceHandler } from '../route.ts';
import { deletionHook } from './admit.ts';
import { deleteUnread } from './delete-unread.ts';
import { decodeBytes } from './decode-body.ts';
import { negotiateAnswer, requiredName } from './exchange.ts';
import { deleteParameters, deleteParametersFromQuery } from './parameters/delete-options.ts';
import type { DeleteParameters } from './parameters/delete-options.ts';
import { bodyToWorkOn } from './read-body.ts';
import type { RequestScope } from './request-scope.ts';
import { unlessLarge } from './unless-large.ts';
import { writeResult } from './response/write-result.ts';
import { RequestRESTContext } from './rest-context.ts';

/** DELETE of one object (handlers/delete.go). */
export function deleteHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.delete === undefined) throw new RegistryError('storage cannot delete');
  return async (request, response, context) => {
    const name = requiredName(context);
    const output = negotiateAnswer(scope, request, context);
    const read = await readDeleteOptions(scope, { request, response, context });
    if (read === undefined) return;
    const { body, object, options } = read;
    const { namespace } = context.requestInfo;
    if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true) {
      await deleteUnread(scope, context, { name, options: object, dryRun: options.dryRun });
      const status: Status = {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name, kind: scope.kind.kind },
        code: 200,
      };
      await writeResult(scope, { request, response, context }, { code: 200, result: status, output });
      return;
    }
    const validate = deletionHook(scope, context, {
      operation: 'DELETE',
      namespace,
      name,
      object: undefined,
      oldObject: undefined,
      options: object,
      dryRun: options.dryRun,
    });
    context.span?.event('About to delete object from database');
    const turns = scope.work.turns(context);
    const done = await unlessLarge(
      scope,
      { request, response, context, body },
      { turns, work: () => storage.delete!(new RequestRESTContext(context, turns), name, validate, options) },
    );
    if (done === undefined) return;
    const { deleted, result } = done;
    context.span?.event('Object deleted from database');
    // Only clients that ask with this old option are told that deletion has but begun.
    const code = !deleted && options.orphanDependents === false ? 202 : 200;
    await writeResult(scope, { request, response, context }, { code, result, output });
  };
}

/** DeleteOptions, and the body that they may have come in. */
export interface ReadDeleteOptions extends DeleteParameters {
  readonly body: Buffer;
}

/**
 * DeleteOptions of a body, which hide those of the query, or of the query; undefined where the side server answers.
 * @throws StatusError
 */
export async function readDeleteOptions(
  scope: RequestScope,
  exchange: BegunExchange,
): Promise<ReadDeleteOptions | undefined> {
  const { context, request } = exchange;
  const body = await bodyToWorkOn(scope, exchange);
  if (body === undefined) return undefined;
  if (body.length === 0) return { body, ...deleteParametersFromQuery(context.query, scope) };
  const mediaType = negotiateInput(request.headers['content-type'], scope.offer.mediaTypes);
  let object: KubeObject;
  const turns = await scope.work.begin(context, body, request.headers['content-type']);
  try {
    ({ object } = await decodeBytes(mediaType, body, {
      expected: deleteOptionsKind(),
      options: { scheme: deleteOptionsScheme, schemeName, outside: true },
    }));
  } catch (error) {
    throw isDecodeError(error) ? unreadable(error.message, scope.release) : error;
  } finally {
    turns.end();
  }
  context.span?.event('Decoded delete options');
  // The reference logs its internal form.
  context.auditRecord?.setRequest({ ...object, apiVersion: 'meta.k8s.io/__internal' });
  context.span?.event('Recorded the audit event');
  return { body, ...deleteParameters(object, scope) };
}

/** What cannot be read as DeleteOptions; up to 1.34 that was the server's fault. */
function unreadable(message: string, release: ReleaseAge): StatusError {
  return release.since('1.35') ? badRequest(message) : new StatusError({ status: 'Failure', message, code: 500 });
}

const schemeName = 'k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27';

function deleteOptionsKind(): KindInfo {
  const kind =
    builtinScheme().kind({ group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' }) ??
    builtinScheme().kind({ group: '', version: 'v1', kind: 'DeleteOptions' });
  if (kind === undefined) throw new RegistryError('DeleteOptions is not registered');
  return kind;
}

/** DeleteOptions are known in whatever group version a client writes them, and nothing else is known. */
const deleteOptionsScheme: Scheme = {
  kind: (gvk) => (gvk.kind === 'DeleteOptions' ? deleteOptionsKind() : undefined),
  versions: () => ['v1'],
  kinds: () => [deleteOptionsKind()],
  convert: (object) => object,
  applyDefaults: () => undefined,
};
