import { encodeJSON, encodingSchema, formatGroupVersion, internalError, type GroupVersionKind, type KubeObject, type Schema } from '@kubechain/apimachinery';
import type { AdmissionObjects, EquivalentResource } from '../../admission/admission.ts';
import { copyObject } from '../../registry/rest/copy-object.ts';
import { jsonMediaType } from '../negotiation/media-types.ts';
import { decodeBytes, toMemoryVersion } from './decode-body.ts';
import type { RequestScope } from './request-scope.ts';

/** Versions of the objects that one endpoint serves. */
export class ScopeObjects implements AdmissionObjects {
  readonly #scope: RequestScope;

  constructor(scope: RequestScope) { this.#scope = scope; }

  async encode(object: KubeObject, kind: GroupVersionKind): Promise<string> {
    const { scheme } = this.#scope;
    const apiVersion = formatGroupVersion(kind);
    const converted = object.apiVersion === apiVersion || object.kind !== kind.kind ? object : await scheme.convert(copyObject(object), kind);
    // Admission's objects need no type, the reference's encoder adds it.
    return encodeJSON({ ...converted, apiVersion, kind: kind.kind }, encodingSchema(scheme.kind(kind))).toString('utf8');
  }

  async decode(text: string, kind: GroupVersionKind): Promise<KubeObject> {
    const { scheme, schemeName } = this.#scope;
    try {
      const { object } = await decodeBytes(jsonMediaType, Buffer.from(text), { expected: scheme.kind(kind), options: { strict: 'Ignore', scheme, schemeName } });
      scheme.applyDefaults(object);
      return await toMemoryVersion(this.#scope, object);
    } catch (error) {
      throw internalError(error);
    }
  }

  schemaOf(kind: GroupVersionKind): Schema | null { return this.#scope.scheme.kind(kind)?.schema ?? null; }

  equivalents(): readonly EquivalentResource[] { return this.#scope.equivalents(); }
}
