import {
  badRequest,
  isFormatError,
  isJSONObject,
  parseJSONValue,
  refuseManyValues,
  strategicMergePatch,
} from '@kubechain/apimachinery';
import type { JSONObject, KubeObject } from '@kubechain/apimachinery';
import type { RequestScope } from '../request-scope.ts';
import { jsonTypeName } from './json-type-name.ts';
import { nothingToPatch, objectFromPlainData, servedDocument } from './document.ts';
import type { PatchMechanism, PatchRequest } from './patch-mechanism.ts';

/** Strategic merge patches: merges lists by the keys that the schema names (smpPatcher of handlers/patch.go). */
export class StrategicMergeMechanism implements PatchMechanism {
  readonly #scope: RequestScope;
  readonly #request: PatchRequest;

  constructor(scope: RequestScope, request: PatchRequest) {
    this.#scope = scope;
    this.#request = request;
  }

  async applyTo(current: KubeObject): Promise<KubeObject> {
    const document = await servedDocument(this.#scope, current);
    const { turns } = this.#request;
    await turns.next();
    const { patch, strictErrors } = this.#parse();
    await turns.next();
    const merged = strategicMergePatch(document, patch, this.#scope.kindInfo.schema);
    await turns.next();
    const object = await objectFromPlainData(this.#scope, this.#request, {
      document: merged,
      strictErrors,
      quoted: patch,
    });
    await turns.next();
    return this.#scope.fieldManager === undefined
      ? object
      : this.#scope.fieldManager.update(current, object, this.#request.manager);
  }

  createNew(): Promise<KubeObject> {
    return Promise.reject(nothingToPatch(this.#scope, this.#request.name));
  }

  /** A private copy of the patch: merging uses it up. */
  #parse(): { readonly patch: JSONObject; readonly strictErrors: readonly string[] } {
    refuseManyValues(this.#request.body);
    try {
      const { strictErrors, value } = parseJSONValue(this.#request.body);
      if (value !== null && !isJSONObject(value))
        throw badRequest(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`);
      return { patch: value ?? {}, strictErrors: this.#request.fieldValidation === 'Ignore' ? [] : strictErrors };
    } catch (error) {
      throw isFormatError(error) ? badRequest(error.message) : error;
    }
  }
}
