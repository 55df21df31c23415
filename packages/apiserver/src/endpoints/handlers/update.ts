import type { KubeObject } from '@kubechain/apimachinery';
import { noted } from '@kubechain/shared-storage/tracing';
import { RegistryError } from '../../registry/registry-error.ts';
import { copyObject } from '../../registry/rest/copy-object.ts';
import type { RESTContext, UpdatedObjectInfo } from '../../registry/rest/storage.ts';
import { negotiateInput } from '../../negotiation/negotiate.ts';
import type { ResourceHandler } from '../route.ts';
import { admit, validatingHook } from './admit.ts';
import { withCreateAuthorization } from './create-authorization.ts';
import { copyForAudit } from './audit-objects.ts';
import { decodeBody } from './decode-body.ts';
import { negotiateAnswer, requiredName } from './exchange.ts';
import { managerOrUserAgent } from '../../registry/fieldmanager/field-manager.ts';
import { checkName, ensureNamespace } from './names.ts';
import { dedupOwnerReferences } from './owner-references.ts';
import { writeOptionsObject, writeParameters } from './parameters/write-options.ts';
import { bodyToWorkOn } from './read-body.ts';
import type { RequestScope } from './request-scope.ts';
import { unlessLarge } from './unless-large.ts';
import { writeResult } from './response/write-result.ts';
import { RequestRESTContext } from './rest-context.ts';
import { withoutManagedFieldsIfTooLarge } from './too-large.ts';

/** PUT: replaces an object, or creates it where the resource allows that (handlers/update.go). */
export function updateHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.update === undefined) throw new RegistryError('storage cannot update');
  return async (request, response, context) => {
    const name = requiredName(context);
    const { namespace } = context.requestInfo;
    const output = negotiateAnswer(scope, request, context);
    const bytes = await bodyToWorkOn(scope, { request, response, context });
    if (bytes === undefined) return;
    const turns = await scope.work.begin(context, bytes);
    try {
      const parameters = writeParameters(context.query, 'UpdateOptions');
      context.span?.event('About to convert to expected version');
      const mediaType = negotiateInput(request.headers['content-type'], scope.offer.mediaTypes);
      const object = await decodeBody(scope, context, {
        body: bytes,
        mediaType,
        fieldValidation: parameters.fieldValidation,
        turns,
      });
      await turns.next();
      context.span?.event('Conversion done');
      context.auditRecord?.setRequest(copyForAudit(context, object));
      ensureNamespace(scope, object, namespace);
      checkName(object, name, namespace);
      dedupOwnerReferences(object, context, false);

      const { dryRun } = parameters;
      const manager = managerOrUserAgent(parameters.fieldManager, request.headers['user-agent']);
      const attributes = {
        namespace,
        name,
        object: undefined,
        oldObject: undefined,
        dryRun,
        options: undefined,
        turns,
      };
      const createAttributes = {
        ...attributes,
        operation: 'CREATE' as const,
        options: scope.admission.empty ? undefined : writeOptionsObject('CreateOptions', context.query),
      };
      const updateAttributes = {
        ...attributes,
        operation: 'UPDATE' as const,
        options: scope.admission.empty ? undefined : writeOptionsObject('UpdateOptions', context.query),
      };
      const uid = object.metadata?.uid ?? '';
      let body: KubeObject | undefined;
      const infoFor = (managedFields: boolean): UpdatedObjectInfo => ({
        preconditions: uid === '' ? undefined : { uid },
        updatedObject: async (_context: RESTContext, old: KubeObject) => {
          // The first attempt takes the body itself, another one must find it as it came.
          let updated = body === undefined ? object : copyObject(body);
          body ??= copyObject(object);
          const exists = (old.metadata?.uid ?? '') !== '';
          await turns.next();
          if (!managedFields) delete updated.metadata?.managedFields;
          else if (scope.fieldManager !== undefined)
            updated = await scope.fieldManager.update(
              exists ? old : { apiVersion: scope.apiVersion, kind: scope.kind.kind },
              updated,
              manager,
            );
          await turns.next();
          updated = await admit(
            scope,
            context,
            exists
              ? { ...updateAttributes, object: updated, oldObject: old }
              : { ...createAttributes, object: updated },
          );
          dedupOwnerReferences(updated, context, true);
          await turns.next();
          return updated;
        },
      });
      context.span?.event('About to store object in database');
      const write = { name: 'Write to database call', attributes: () => ({ len: bytes.length }) };
      const store = (): ReturnType<NonNullable<typeof storage.update>> =>
        withoutManagedFieldsIfTooLarge(({ managedFields }) =>
          storage.update!(new RequestRESTContext(context, turns), name, infoFor(managedFields), {
            dryRun,
            fieldManager: parameters.fieldManager,
            fieldValidation: parameters.fieldValidation,
            forceAllowCreate: false,
            validateCreate: turns.around(
              withCreateAuthorization(scope, context, validatingHook(scope, context, createAttributes)),
            ),
            validateUpdate: turns.around(validatingHook(scope, context, updateAttributes)),
          }),
        );
      const stored = await noted(context.span, write, () =>
        unlessLarge(scope, { request, response, context, body: bytes }, { turns, work: store }),
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
