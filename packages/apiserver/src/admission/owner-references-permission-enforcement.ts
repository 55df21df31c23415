import { isDeepStrictEqual } from 'node:util';
import { parseGroupVersion } from '@kubechain/apimachinery';
import type { GroupVersionKind, KubeObject, OwnerReference } from '@kubechain/apimachinery';
import type { AuthorizationAttributes, Authorizer } from '../authorization/authorizer.ts';
import { admissionForbidden } from './admission-error.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './admission.ts';
import type { ResourceOfKind } from './resource-of-kind.ts';

export interface OwnerReferencesPermissionEnforcementOptions {
  readonly authorizer: Authorizer;
  /** Undefined for kinds that nobody knows. */
  readonly resourceOf: (kind: GroupVersionKind) => Promise<ResourceOfKind | undefined>;
}

/**
 * Lets only those name owners who may delete the object, and only those block an owner's deletion who may finalize the
 * owner (plugin/pkg/admission/gc, 1.36).
 */
export class OwnerReferencesPermissionEnforcement implements AdmissionPlugin {
  readonly name = 'OwnerReferencesPermissionEnforcement';
  readonly #authorizer: Authorizer;
  readonly #resourceOf: OwnerReferencesPermissionEnforcementOptions['resourceOf'];

  constructor({ authorizer, resourceOf }: OwnerReferencesPermissionEnforcementOptions) {
    this.#authorizer = authorizer;
    this.#resourceOf = resourceOf;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { group, resource, version } = attributes.resource;
    // Kubelets of old mangle them there, and the strategy keeps them as they are.
    if (group === '' && resource === 'pods' && attributes.subresource === 'status') return;
    const [now, old] = [ownersOf(attributes.object), ownersOf(attributes.oldObject)];
    if (isDeepStrictEqual(now, old)) return;
    if (attributes.operation !== 'CREATE') {
      const { namespace, name, subresource } = attributes;
      const { decision, reason } = await this.#decide(attributes, {
        verb: 'delete',
        namespace,
        apiGroup: group,
        apiVersion: version,
        resource,
        subresource,
        name,
      });
      if (decision !== 'Allow')
        throw admissionForbidden(attributes, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
    }
    const blocking = newlyBlocking(now, old);
    if (blocking.length === 0 || (await this.#mayFinalizeAnything(attributes))) return;
    for (const owner of blocking) await this.#checkOwner(attributes, owner);
  }

  async #mayFinalizeAnything(attributes: AdmissionAttributes): Promise<boolean> {
    const all = { apiGroup: '*', apiVersion: '*', resource: '*', name: '*', namespace: '' };
    const { decision } = await this.#decide(attributes, { ...all, verb: 'update', subresource: 'finalizers' });
    return decision === 'Allow';
  }

  async #checkOwner(attributes: AdmissionAttributes, { apiVersion, kind, name }: OwnerReference): Promise<void> {
    const gv = parseGroupVersion(apiVersion);
    const found = gv === undefined ? undefined : await this.#resourceOf({ ...gv, kind });
    if (gv === undefined || found === undefined)
      throw admissionForbidden(
        attributes,
        'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ' +
          `${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`,
      );
    const { decision, reason } = await this.#decide(attributes, {
      verb: 'update',
      namespace: found.namespaced ? attributes.namespace : '',
      apiGroup: gv.group,
      apiVersion: gv.version,
      resource: found.resource,
      subresource: 'finalizers',
      name,
    });
    if (decision !== 'Allow')
      throw admissionForbidden(
        attributes,
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: " +
          `${reason}, <nil>`,
      );
  }

  #decide(
    { user }: AdmissionAttributes,
    asked: Omit<AuthorizationAttributes, 'user' | 'resourceRequest' | 'path'>,
  ): ReturnType<Authorizer['authorize']> {
    return this.#authorizer.authorize({ ...asked, user, resourceRequest: true, path: '' });
  }
}

function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata?.ownerReferences ?? [];
}

/** Owners that are new and blocked, or blocked only now. */
function newlyBlocking(now: readonly OwnerReference[], old: readonly OwnerReference[]): readonly OwnerReference[] {
  const blocked = new Set(old.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(({ uid }) => uid));
  return now.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion === true && !blocked.has(uid));
}
