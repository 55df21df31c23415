import {
  FloatMarks,
  StatusError,
  badRequest,
  isFormatError,
  isInvalid,
  isJSONObject,
  parseJSONValue,
  refuseManyValues,
  strategicMergePatch,
} from '@kubechain/apimachinery';
import type { JSONObject, KubeObject } from '@kubechain/apimachinery';
import type { RequestScope } from '../request-scope.ts';
import { jsonTypeName } from './json-type-name.ts';
import { nothingToPatch, objectFromPlainData, servedDocument } from './document.ts';
import { isNumberAlone, isOutOfRange } from './number-alone.ts';
import type { PatchMechanism, PatchRequest } from './patch-mechanism.ts';

/** What a patch is read into. */
const AN_OBJECT = 'Go value of type map[string]interface {}';

type StatusOf = ConstructorParameters<typeof StatusError>[0];

/** Strategic merge patches: merges lists by the keys that the schema names (smpPatcher of handlers/patch.go). */
export class StrategicMergeMechanism implements PatchMechanism {
  readonly #scope: RequestScope;
  readonly #request: PatchRequest;

  constructor(scope: RequestScope, request: PatchRequest) {
    this.#scope = scope;
    this.#request = request;
  }

  async applyTo(current: KubeObject): Promise<KubeObject> {
    const object = await this.#patched(current, this.#request.body).catch(async (error: unknown) => {
      throw await this.#withFloats(current, error);
    });
    return this.#scope.fieldManager === undefined
      ? object
      : this.#scope.fieldManager.update(current, object, this.#request.manager);
  }

  async #patched(current: KubeObject, body: Uint8Array): Promise<KubeObject> {
    const document = await servedDocument(this.#scope, current);
    const { turns } = this.#request;
    await turns.next();
    const { patch, strictErrors } = this.#parse(body);
    await turns.next();
    const merged = strategicMergePatch(document, patch, this.#scope.kindInfo.schema);
    await turns.next();
    const object = await objectFromPlainData(this.#scope, this.#request, {
      document: merged,
      strictErrors,
      quoted: patch,
    });
    await turns.next();
    return object;
  }

  /** What a patch is refused with, which tells whole numbers that are written as floats from others. */
  async #withFloats(current: KubeObject, error: unknown): Promise<unknown> {
    const floats = isInvalid(error) ? FloatMarks.of(this.#request.body) : undefined;
    if (floats === undefined) return error;
    try {
      await this.#patched(current, floats.patch);
    } catch (told) {
      if (isInvalid(told)) return new StatusError(JSON.parse(floats.restore(JSON.stringify(told.status))) as StatusOf);
    }
    return error;
  }

  createNew(): Promise<KubeObject> {
    return Promise.reject(nothingToPatch(this.#scope, this.#request.name));
  }

  /** A private copy of the patch: merging uses it up. */
  #parse(body: Uint8Array): { readonly patch: JSONObject; readonly strictErrors: readonly string[] } {
    refuseManyValues(body);
    try {
      const { strictErrors, value } = parseJSONValue(body);
      if (value !== null && !isJSONObject(value))
        throw badRequest(`json: cannot unmarshal ${jsonTypeName(value)} into ${AN_OBJECT}`);
      return { patch: value ?? {}, strictErrors: this.#request.fieldValidation === 'Ignore' ? [] : strictErrors };
    } catch (error) {
      if (!isFormatError(error)) throw error;
      const outOfRange = isOutOfRange(error) && isNumberAlone(body);
      throw badRequest(outOfRange ? `json: cannot unmarshal number into ${AN_OBJECT}` : error.message);
    }
  }
}
