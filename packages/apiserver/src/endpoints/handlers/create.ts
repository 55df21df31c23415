import { ensureMeta } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { noted } from '@kubechain/shared-storage/tracing';
import { RegistryError } from '../../registry/registry-error.ts';
import type { RESTResult } from '../../registry/rest/storage.ts';
import { wipeSystemFields } from '../../registry/rest/object-meta.ts';
import { negotiateInput } from '../../negotiation/negotiate.ts';
import type { ResourceHandler } from '../route.ts';
import { admit, validatingHook } from './admit.ts';
import { copyForAudit } from './audit-objects.ts';
import { decodeBody } from './decode-body.ts';
import { negotiateAnswer, requiredName } from './exchange.ts';
import { managerOrUserAgent } from '../../registry/fieldmanager/field-manager.ts';
import { ensureNamespace } from './names.ts';
import { dedupOwnerReferences } from './owner-references.ts';
import { writeOptionsObject, writeParameters } from './parameters/write-options.ts';
import { bodyToWorkOn } from './read-body.ts';
import type { RequestScope } from './request-scope.ts';
import { unlessLarge } from './unless-large.ts';
import { writeResult } from './response/write-result.ts';
import { RequestRESTContext } from './rest-context.ts';
import { withoutManagedFieldsIfTooLarge } from './too-large.ts';

/** POST: creates an object, or calls a subresource that takes one (handlers/create.go). */
export function createHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.create === undefined) throw new RegistryError('storage cannot create');
  const isNamespaces =
    scope.groupResource.group === '' && scope.groupResource.resource === 'namespaces' && scope.subresource === '';
  return async (request, response, context) => {
    const givenName = scope.subresource === '' ? context.requestInfo.name : requiredName(context);
    const output = negotiateAnswer(scope, request, context);
    const mediaType = negotiateInput(request.headers['content-type'], scope.offer.mediaTypes);
    const body = await bodyToWorkOn(scope, { request, response, context });
    if (body === undefined) return;
    const turns = await scope.work.begin(context, body, request.headers['content-type']);
    const parameters = writeParameters(context.query, 'CreateOptions');
    /** From the body to what is stored; may be called again as long as nothing is. */
    const work = async (): Promise<RESTResult> => {
      let name = givenName;
      context.span?.event('About to convert to expected version');
      const { fieldValidation } = parameters;
      let object = await decodeBody(scope, context, { body, mediaType, fieldValidation, turns });
      await (scope.custom ? turns.beforeValue(object) : turns.next());
      context.span?.event('Conversion done');

      context.auditRecord?.setRequest(copyForAudit(context, object));
      if (name === '') name = object.metadata?.name ?? '';
      const namespace = isNamespaces ? name : context.requestInfo.namespace;
      if (scope.subresource === '' || storage.preservesObjectMetaOnCreate !== true)
        wipeSystemFields(ensureMeta(object));
      ensureNamespace(scope, object, context.requestInfo.namespace);
      dedupOwnerReferences(object, context, false);
      if (scope.fieldManager !== undefined)
        object = await scope.fieldManager.update(
          emptyObject(scope),
          object,
          managerOrUserAgent(parameters.fieldManager, request.headers['user-agent']),
        );
      await turns.next();

      const attributes = {
        operation: 'CREATE' as const,
        namespace,
        name,
        object,
        oldObject: undefined,
        dryRun: parameters.dryRun,
        options: scope.admission.empty ? undefined : writeOptionsObject('CreateOptions', context.query),
        turns,
      };
      context.span?.event('About to store object in database');
      object = await admit(scope, context, attributes);
      await turns.next();
      dedupOwnerReferences(object, context, true);
      const restContext = new RequestRESTContext(context, turns);
      const { metadata } = object;
      const created = object;
      const write = { name: 'Write to database call', attributes: () => ({ len: body.length }) };
      return noted(context.span, write, () =>
        withoutManagedFieldsIfTooLarge(({ managedFields }) => {
          if (!managedFields) delete metadata?.managedFields;
          return storage.create!(restContext, name, created, {
            ...parameters,
            validate: turns.around(validatingHook(scope, context, attributes)),
          });
        }),
      );
    };
    try {
      const result = await unlessLarge(scope, { request, response, context, body }, { turns, work });
      if (result === undefined) return;
      await turns.next();
      await writeResult(scope, { request, response, context }, { code: 201, result, output });
    } finally {
      turns.end();
    }
  };
}

/** What a new object is compared with: nothing but its kind. */
function emptyObject(scope: RequestScope): KubeObject {
  return { apiVersion: scope.apiVersion, kind: scope.kind.kind };
}
