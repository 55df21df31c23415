import {
  FormatError,
  cloneJSON,
  decodeStruct,
  encodeJSONText,
  encodingSchema,
  formatGroupVersion,
  internalError,
  isJSONObject,
  limits,
  manyValues,
  toWireForm,
  type GroupVersionKind,
  type JSONValue,
  type KubeObject,
  type Schema,
} from '@kubechain/apimachinery';
import type { AdmissionObjects, EquivalentResource } from '../../admission/admission.ts';
import type { Turns } from '../../request/turns.ts';
import { copyObject } from '../../registry/rest/copy-object.ts';
import { jsonMediaType } from '../../negotiation/media-types.ts';
import { decodeBytes, toMemoryVersion } from './decode-body.ts';
import type { RequestScope } from './request-scope.ts';

/** Versions of the objects that one endpoint serves. */
export class ScopeObjects implements AdmissionObjects {
  readonly #scope: RequestScope;
  readonly #turns: Turns;

  /** @param turns taken where objects are large: others are served between what plugins do with them */
  constructor(scope: RequestScope, turns: Turns) {
    this.#scope = scope;
    this.#turns = turns;
  }

  rest(): Promise<void> | undefined {
    return this.#turns.next();
  }

  beginWith(values: number): void {
    if (values > limits.bodyValues.value) throw manyValues();
    this.#turns.beginWith(values);
  }

  async encode(object: KubeObject, kind: GroupVersionKind): Promise<string> {
    await this.#turns.next();
    return encodeJSONText(await this.#convert(object, kind), this.#encodingSchema(kind));
  }

  async view(object: KubeObject, kind: GroupVersionKind): Promise<JSONValue> {
    return toWireForm(await this.#convert(object, kind), this.#encodingSchema(kind)) as JSONValue;
  }

  async decode(text: string, kind: GroupVersionKind): Promise<KubeObject> {
    const { scheme, schemeName } = this.#scope;
    const bytes = Buffer.from(text);
    await this.#turns.before(bytes);
    try {
      const { object } = await decodeBytes(jsonMediaType, bytes, {
        expected: scheme.kind(kind),
        options: { strict: 'Ignore', scheme, schemeName },
      });
      scheme.applyDefaults(object);
      return await toMemoryVersion(this.#scope, object);
    } catch (error) {
      throw internalError(error);
    }
  }

  async read(data: JSONValue, kind: GroupVersionKind): Promise<KubeObject> {
    const { scheme } = this.#scope;
    const info = scheme.kind(kind);
    await this.#turns.beforeValue(data);
    if (
      info?.schema.kind === 'struct' &&
      info.unstructured !== true &&
      isJSONObject(data) &&
      data['kind'] === kind.kind &&
      data['apiVersion'] === formatGroupVersion(kind)
    ) {
      const { strictErrors, value } = decodeStruct(cloneJSON(data), info.schema, { strict: true });
      if (strictErrors.length > 0)
        throw internalError(new FormatError(`strict decoding error: ${strictErrors.join(', ')}`));
      if (value !== undefined) {
        scheme.applyDefaults(value as KubeObject);
        return toMemoryVersion(this.#scope, value as KubeObject);
      }
    }
    // Says what is wrong in the decoder's words.
    return this.decode(encodeJSONText(data), kind);
  }

  /** Admission's objects need no type, the reference's encoder adds it. */
  async #convert(object: KubeObject, kind: GroupVersionKind): Promise<KubeObject> {
    const apiVersion = formatGroupVersion(kind);
    const converted =
      object.apiVersion === apiVersion || object.kind !== kind.kind
        ? object
        : await this.#scope.scheme.convert(copyObject(object), kind);
    return { ...converted, apiVersion, kind: kind.kind };
  }

  #encodingSchema(kind: GroupVersionKind): Schema | undefined {
    return encodingSchema(this.#scope.scheme.kind(kind));
  }

  schemaOf(kind: GroupVersionKind): Schema | null {
    return this.#scope.scheme.kind(kind)?.schema ?? null;
  }

  equivalents(): readonly EquivalentResource[] {
    return this.#scope.equivalents();
  }
}
