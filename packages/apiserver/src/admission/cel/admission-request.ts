import type { GroupVersionKind, GroupVersionResource, KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from '../admission.ts';

/** The kind and resource in whose version a policy or webhook wants to see a request. */
export interface RequestForm {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** A request's objects as plain JSON in one version; null for none. They share parts with the request's own. */
export interface VersionedObjects {
  readonly form: RequestForm;
  readonly object: unknown;
  readonly oldObject: unknown;
}

/** Converts the objects of a request. @throws StatusError for what cannot be converted */
export async function versionedObjects(attributes: AdmissionAttributes, form: RequestForm): Promise<VersionedObjects> {
  const convert = async (object: KubeObject | undefined): Promise<unknown> =>
    object === undefined ? null : attributes.objects.view(object, form.kind);
  const [object, oldObject] = await Promise.all([convert(attributes.object), convert(attributes.oldObject)]);
  return { form, object, oldObject };
}

/** `request` as plain JSON: what is empty is missing (admission/plugin/cel CreateAdmissionRequest, 1.36). */
export function admissionRequest(
  { dryRun, kind, name, namespace, operation, options, resource, subresource, user }: AdmissionAttributes,
  form: RequestForm,
): object {
  const { extra = {}, groups, name: username, uid = '' } = user;
  return {
    uid: '',
    kind: kindOf(form.kind),
    resource: resourceOf(form.resource),
    ...present('subResource', subresource),
    requestKind: kindOf(kind),
    requestResource: resourceOf(resource),
    ...present('requestSubResource', subresource),
    ...present('name', name),
    ...present('namespace', namespace),
    operation,
    userInfo: {
      ...present('username', username),
      ...present('uid', uid),
      ...(groups.length === 0 ? {} : { groups }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    },
    object: null,
    oldObject: null,
    dryRun,
    options: options ?? null,
  };
}

function kindOf({ group, kind, version }: GroupVersionKind): object {
  return { group, version, kind };
}
function resourceOf({ group, resource, version }: GroupVersionResource): object {
  return { group, version, resource };
}
function present(key: string, value: string): object {
  return value === '' ? {} : { [key]: value };
}

/** `namespaceObject` as plain JSON, without what expressions are not to see of its metadata. */
export function namespaceValue({ metadata = {}, spec, status }: KubeObject): object {
  const {
    managedFields: _managedFields,
    ownerReferences: _owners,
    selfLink: _selfLink,
    ...shown
  } = metadata as Record<string, unknown>;
  return { metadata: shown, spec: spec ?? {}, status: status ?? {} };
}
