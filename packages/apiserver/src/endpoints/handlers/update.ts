import type { KubeObject } from '@kubechain/apimachinery';
import { noted } from '@kubechain/shared-storage/tracing';
import { RegistryError } from '../../registry/registry-error.ts';
import { copyObject } from '../../registry/rest/copy-object.ts';
import type { RESTContext, UpdatedObjectInfo } from '../../registry/rest/storage.ts';
import { negotiateInput } from '../../negotiation/negotiate.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { Turns } from '../../request/turns.ts';
import type { ResourceHandler } from '../route.ts';
import { copyForAudit } from './audit-objects.ts';
import { decodeBody, type BodySource } from './decode-body.ts';
import { negotiateAnswer, requiredName } from './exchange.ts';
import { managerOrUserAgent } from '../../registry/fieldmanager/field-manager.ts';
import { checkName, ensureNamespace } from './names.ts';
import { dedupOwnerReferences } from './owner-references.ts';
import { writeParameters } from './parameters/write-options.ts';
import { bodyToWorkOn } from './read-body.ts';
import type { RequestScope } from './request-scope.ts';
import { unlessLarge } from './unless-large.ts';
import { isStored, UpdateAdmission } from './update-admission.ts';
import { writeResult } from './response/write-result.ts';
import { RequestRESTContext } from './rest-context.ts';
import { withoutManagedFieldsIfTooLarge } from './too-large.ts';

/** PUT: replaces an object, or creates it where the resource allows that (handlers/update.go). */
export function updateHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.update === undefined) throw new RegistryError('storage cannot update');
  return async (request, response, context) => {
    const name = requiredName(context);
    const output = negotiateAnswer(scope, request, context);
    const body = await bodyToWorkOn(scope, { request, response, context });
    if (body === undefined) return;
    const turns = await scope.work.begin(context, body, request.headers['content-type']);
    try {
      const { dryRun, fieldManager, fieldValidation } = writeParameters(context.query, 'UpdateOptions');
      const mediaType = negotiateInput(request.headers['content-type'], scope.offer.mediaTypes);
      const object = await objectFrom(scope, context, { body, mediaType, fieldValidation, turns });
      const admission = new UpdateAdmission(scope, context, { name, dryRun, turns });
      const manager = managerOrUserAgent(fieldManager, request.headers['user-agent']);
      context.span?.event('About to store object in database');
      const store = (): ReturnType<NonNullable<typeof storage.update>> =>
        withoutManagedFieldsIfTooLarge(({ managedFields }) =>
          storage.update!(
            new RequestRESTContext(context, turns),
            name,
            replacement(scope, object, { admission, context, manager: managedFields ? manager : undefined, turns }),
            { dryRun, fieldManager, fieldValidation, forceAllowCreate: false, ...admission.hooks },
          ),
        );
      const write = { name: 'Write to database call', attributes: () => ({ len: body.length }) };
      const stored = await noted(context.span, write, () =>
        unlessLarge(scope, { request, response, context, body }, { turns, work: store }),
      );
      if (stored === undefined) return;
      const { created, result } = stored;
      await turns.next();
      await writeResult(scope, { request, response, context }, { code: created ? 201 : 200, result, output });
    } finally {
      turns.end();
    }
  };
}

/** The object of the body: decoded, defaulted, and checked against the path. */
async function objectFrom(
  scope: RequestScope,
  context: RequestContext,
  source: BodySource & { readonly turns: Turns },
): Promise<ReadObject> {
  const { name, namespace } = context.requestInfo;
  context.span?.event('About to convert to expected version');
  const object = await decodeBody(scope, context, source);
  await source.turns.next();
  context.span?.event('Conversion done');
  context.auditRecord?.setRequest(copyForAudit(context, object));
  ensureNamespace(scope, object, namespace);
  checkName(object, name, namespace);
  dedupOwnerReferences(object, context, false);
  return new ReadObject(object);
}

/** An object that several attempts to store it begin with. */
class ReadObject {
  readonly uid: string;
  readonly #object: KubeObject;
  #copy: KubeObject | undefined;

  constructor(object: KubeObject) {
    this.uid = object.metadata?.uid ?? '';
    this.#object = object;
  }

  /** To be changed: the object itself for the first attempt, a copy of it as it was for each other one. */
  take(): KubeObject {
    if (this.#copy !== undefined) return copyObject(this.#copy);
    this.#copy = copyObject(this.#object);
    return this.#object;
  }
}

interface Replacing {
  readonly admission: UpdateAdmission;
  readonly context: RequestContext;
  /** Undefined: the object is to be stored without managedFields. */
  readonly manager: string | undefined;
  readonly turns: Turns;
}

/** What the stored object is replaced with. */
function replacement(
  scope: RequestScope,
  object: ReadObject,
  { admission, context, manager, turns }: Replacing,
): UpdatedObjectInfo {
  return {
    preconditions: object.uid === '' ? undefined : { uid: object.uid },
    updatedObject: async (_context: RESTContext, current: KubeObject) => {
      let updated = object.take();
      const old = isStored(current) ? current : undefined;
      // Defaults of definitions may have made much of it.
      await (scope.custom ? turns.beforeValue(updated) : turns.next());
      if (manager === undefined) delete updated.metadata?.managedFields;
      else if (scope.fieldManager !== undefined)
        updated = await scope.fieldManager.update(
          old ?? { apiVersion: scope.apiVersion, kind: scope.kind.kind },
          updated,
          manager,
        );
      await turns.next();
      updated = await admission.admit(updated, old);
      dedupOwnerReferences(updated, context, true);
      await turns.next();
      return updated;
    },
  };
}
