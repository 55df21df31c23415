import { badRequest, conflict } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { RegistryError } from '../../registry/registry-error.ts';
import type { RESTContext, UpdatedObjectInfo } from '../../registry/rest/storage.ts';
import { unsupportedMediaType } from '../../negotiation/errors.ts';
import { negotiateOutput } from '../../negotiation/negotiate.ts';
import { checkRouteContentType } from '../../negotiation/route-accept.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { Turns } from '../../request/turns.ts';
import type { ResourceHandler } from '../route.ts';
import { auditPatch } from './audit-objects.ts';
import { beginAnswer, requiredName } from './exchange.ts';
import { managerOrUserAgent } from '../../registry/fieldmanager/field-manager.ts';
import { checkName, ensureNamespace } from './names.ts';
import { dedupOwnerReferences } from './owner-references.ts';
import { patchParameters } from './parameters/write-options.ts';
import { ApplyMechanism } from './patch/apply.ts';
import { readAppliedCBOR, readAppliedYAML } from './patch/applied-configuration.ts';
import { checkPatchText } from './patch/check-patch-text.ts';
import { JSONPatchMechanism } from './patch/json-patch.ts';
import type { PatchMechanism, PatchRequest } from './patch/patch-mechanism.ts';
import {
  applyCBORPatchType,
  applyPatchType,
  jsonPatchType,
  mergePatchType,
  strategicMergePatchType,
} from './patch/patch-types.ts';
import { StrategicMergeMechanism } from './patch/strategic-merge.ts';
import { bodyToWorkOn } from './read-body.ts';
import type { RequestScope } from './request-scope.ts';
import { unlessLarge } from './unless-large.ts';
import { isStored, UpdateAdmission } from './update-admission.ts';
import { writeResult } from './response/write-result.ts';
import { RequestRESTContext } from './rest-context.ts';
import { withoutManagedFieldsIfTooLarge } from './too-large.ts';

/** PATCH in its four forms (handlers/patch.go). */
export function patchHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.update === undefined) throw new RegistryError('storage cannot update');
  const { patchTypes } = scope;
  return async (request, response, context) => {
    if (scope.produces !== undefined) checkRouteContentType(request.headers['content-type'], patchTypes);
    const patchType = contentTypeOf(request.headers['content-type']);
    // Custom resources are told which types there are; for built-in ones the router has spoken already.
    beginAnswer(scope, request, context);
    if (!patchTypes.includes(patchType)) throw unsupportedMediaType(patchTypes.join(', '));
    const output = negotiateOutput(request.headers.accept, scope.offer);
    const name = requiredName(context);
    const body = await bodyToWorkOn(scope, { request, response, context });
    if (body === undefined) return;
    const turns = await scope.work.begin(context, body, request.headers['content-type']);
    try {
      auditPatch(context, body);
      context.span?.event('Recorded the audit event');
      const apply = patchType === applyPatchType || patchType === applyCBORPatchType;
      const parameters = patchParameters(context.query, apply);
      if (scope.release.since('1.37') && patchType !== applyCBORPatchType) await checkPatchText(body, patchType);
      const { dryRun } = parameters;
      const mechanism = mechanismOf(scope, patchType, {
        context,
        body,
        turns,
        name,
        fieldValidation: parameters.fieldValidation,
        force: parameters.force,
        manager: apply
          ? parameters.fieldManager
          : managerOrUserAgent(parameters.fieldManager, request.headers['user-agent']),
      });
      const admission = new UpdateAdmission(scope, context, { name, dryRun, turns });
      const write = ({
        managedFields,
      }: {
        readonly managedFields: boolean;
      }): ReturnType<NonNullable<typeof storage.update>> =>
        storage.update!(
          new RequestRESTContext(context, turns),
          name,
          patched(scope, mechanism, { admission, context, managedFields, name, turns }),
          {
            dryRun,
            fieldManager: parameters.fieldManager,
            fieldValidation: parameters.fieldValidation,
            forceAllowCreate: apply,
            ...admission.hooks,
          },
        );
      const work = (): ReturnType<typeof write> =>
        apply ? write({ managedFields: true }) : withoutManagedFieldsIfTooLarge(write);
      const stored = await unlessLarge(scope, { request, response, context, body }, { turns, work });
      if (stored === undefined) return;
      const { created, result } = stored;
      await turns.next();
      context.span?.event('Object stored in database');
      await writeResult(scope, { request, response, context }, { code: created ? 201 : 200, result, output });
    } finally {
      turns.end();
    }
  };
}

interface Patching {
  readonly admission: UpdateAdmission;
  readonly context: RequestContext;
  readonly managedFields: boolean;
  readonly name: string;
  readonly turns: Turns;
}

/** What the patch makes of the stored object. */
function patched(
  scope: RequestScope,
  mechanism: PatchMechanism,
  { admission, context, managedFields, name, turns }: Patching,
): UpdatedObjectInfo {
  const { namespace } = context.requestInfo;
  return {
    preconditions: undefined,
    updatedObject: async (_context: RESTContext, current: KubeObject) => {
      const old = isStored(current) ? current : undefined;
      context.span?.event('About to apply patch');
      let object = old === undefined ? await mechanism.createNew() : await mechanism.applyTo(old);
      const uid = object.metadata?.uid ?? '';
      if (old === undefined && uid !== '')
        throw conflict(
          scope.groupResource,
          name,
          `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
        );
      ensureNamespace(scope, object, namespace);
      checkName(object, name, namespace);
      context.span?.event('About to check admission control');
      await turns.next();
      object = await admission.admit(object, old);
      dedupOwnerReferences(object, context, true);
      if (!managedFields) delete object.metadata?.managedFields;
      await turns.next();
      return object;
    },
  };
}

function contentTypeOf(header: string | undefined): string {
  const type = header ?? '';
  const semicolon = type.indexOf(';');
  return semicolon > 0 ? type.slice(0, semicolon) : type;
}

function mechanismOf(scope: RequestScope, patchType: string, request: PatchRequest): PatchMechanism {
  switch (patchType) {
    case jsonPatchType:
      return new JSONPatchMechanism(scope, request, false);
    case mergePatchType:
      return new JSONPatchMechanism(scope, request, true);
    case strategicMergePatchType:
      return new StrategicMergeMechanism(scope, request);
    case applyPatchType:
      return new ApplyMechanism(scope, request, readAppliedYAML);
    case applyCBORPatchType:
      return new ApplyMechanism(scope, request, readAppliedCBOR);
    default:
      throw badRequest(`unknown Content-Type header for patch: ${patchType}`);
  }
}
